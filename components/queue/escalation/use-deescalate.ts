'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import { useQueueCache } from '../use-queue-cache.ts'

/** Returns an escalated item to the pending items. */
export function useDeescalate(item: QueueItem) {
  const t = useTranslations('escalation')
  const cache = useQueueCache()
  const { done, leave, input } = useDeskActs()
  const puttingBack = useMutation(useTRPC().escalations.deescalate.mutationOptions())

  async function putBack(onDone?: () => void): Promise<void> {
    await puttingBack.mutateAsync({ subjectType: item.subjectType, subjectId: item.subjectId })
    onDone?.()
    if (input.view === 'escalated') {
      leave(item)
      cache.take(input, [item])
    } else {
      cache.expire(item)
      await cache.readListsAgain()
    }
    done({ words: t('putBackDone', { author: item.author.displayName }) })
  }
  return { putBack, isPending: puttingBack.isPending, error: puttingBack.error }
}
