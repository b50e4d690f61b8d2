'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { focusView } from './focus-view.ts'

/** Acts on views; each is announced and ends with `onDone`. */
export function useViewActs(onDone: () => void) {
  const t = useTranslations('views.said')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const { narrow } = useQueueFilter()

  function done(what: 'saved' | 'changed' | 'defaultChanged' | 'deleted') {
    return async () => {
      void queryClient.invalidateQueries(trpc.views.counts.pathFilter())
      await queryClient.invalidateQueries(trpc.views.list.pathFilter())
      announce(t(what))
      onDone()
    }
  }
  return {
    save: useMutation(
      trpc.views.save.mutationOptions({
        onSuccess: async ({ viewId }) => {
          await done('saved')()
          narrow({ savedView: viewId })
          await focusView()
        },
      }),
    ),
    change: useMutation(trpc.views.change.mutationOptions({ onSuccess: done('changed') })),
    setDefault: useMutation(trpc.views.setDefault.mutationOptions({ onSuccess: done('defaultChanged') })),
    /** The view's filters stay in force and can be saved again. */
    remove: useMutation(
      trpc.views.delete.mutationOptions({
        onSuccess: async () => {
          narrow({ savedView: null })
          await done('deleted')()
          await focusView()
        },
      }),
    ),
  }
}
export type ViewActs = ReturnType<typeof useViewActs>
