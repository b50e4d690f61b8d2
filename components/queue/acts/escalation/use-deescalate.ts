'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { useDeskActs } from '../desk-acts.ts'
import { pendingItem } from './pending-item.ts'

/** Returns an escalated item to the pending items, or removes the mark from a report. */
export function useDeescalate(item: QueueItem) {
  const t = useTranslations('escalation')
  const cache = useQueueCache()
  const { done, leave, input } = useDeskActs()
  const trpc = useTRPC()
  const puttingBack = useMutation(trpc.escalations.deescalate.mutationOptions())

  async function putBack(onDone?: () => void): Promise<void> {
    await puttingBack.mutateAsync(pendingItem(item))
    onDone?.()
    if (input.view === 'escalated') {
      leave([item])
      cache.take(input, [item])
    } else if (item.kind === 'reported') {
      await cache.readItemAgain(input, item)
      cache.recount()
    } else {
      cache.expire(item)
      await cache.readListsAgain()
    }
    done({ words: t(item.kind === 'reported' ? 'endedReport' : 'putBackDone', { author: item.author.displayName }) })
  }
  return { putBack, isPending: puttingBack.isPending, error: puttingBack.error }
}
