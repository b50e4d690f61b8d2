'use client'
import { useTranslations } from 'use-intl'
import type { Done } from '#components/kit/acts/done.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useSend } from '#components/trpc/use-send.ts'
import type { Claimed } from '#server/modules/review/claims/schema.ts'
import type { ChangedFacts, Subject } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useQueueCache } from '../state/use-queue-cache.ts'

interface Claiming {
  userId: string
  input: QueueInput
  done: (done: Done) => void
  leave: (items: Subject[]) => void
}

/** Claims an item, its group or its report, or releases what is the person's own. */
export function useClaim({ userId, input, done, leave }: Claiming) {
  const t = useTranslations('claims')
  const times = useTimes()
  const errorMessageOf = useErrorMessage()
  const cache = useQueueCache()
  const trpc = useTRPC()
  const postClaim = useSend(trpc.review.claim.mutationOptions())
  const postRelease = useSend(trpc.review.release.mutationOptions())

  async function toggle(item: QueueItem, { isGroup }: { isGroup: boolean }): Promise<void> {
    const isMine = item.claim?.by.userId === userId
    const { kind, subjectType, subjectId } = item
    const given = { kind, subjectType, subjectId, isGroup }
    try {
      if (isMine) {
        const { items } = await postRelease(given)
        done({ words: isGroup ? t('releasedGroup', { count: items.length }) : released(item) })
        if (input.view === 'mine') {
          leave(items)
          cache.take(input, items)
          return
        }
      } else {
        const claimed = await postClaim(given)
        done({ words: isGroup ? groupWords(claimed) : t('done', { time: timeOf(claimed.until) }) })
      }
    } catch (error) {
      done({ words: whyNot(error) })
    }
    await cache.claimsChanged(input, item, { isGroup })
  }

  const ofItem = ({ author }: QueueItem) => ({ author: author.displayName })
  const released = (item: QueueItem) => t('released', ofItem(item))
  const timeOf = (until: string | undefined) => (until ? times.timeAndDay(until) : '')

  /** How many were claimed, and how many were left out and whose they are. */
  function groupWords({ items, until, others, own, isCut }: Claimed): string {
    const count = items.length
    return [
      count > 0 ? t('doneGroup', { count, time: timeOf(until) }) : t('noneOfGroup'),
      ...others.map((other) => t('leftOut', { count: other.count, who: other.displayName })),
      ...(own > 0 ? [t('leftOwn', { count: own })] : []),
      ...(isCut ? [t('more')] : []),
    ].join(' ')
  }

  function whyNot(error: unknown): string {
    const { claimedByName, claimedUntil } = (toRequestError(error).facts ?? {}) as Partial<ChangedFacts>
    if (claimedByName) return t('taken', { who: claimedByName, time: timeOf(claimedUntil) })
    return errorMessageOf(error) ?? ''
  }

  return toggle
}
