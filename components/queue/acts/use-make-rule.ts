'use client'
import { toNewRulePath } from '#components/kit/addresses/rules-search.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/**
 * Opens a new rule of the item's community that finds the item, or its wave; whether the person may manage it, the page says. Returns whether the item
 * can have rules.
 */
export function useMakeRule(): (item: QueueItem, isWave?: boolean) => boolean {
  const go = useNavigate()
  return ({ community, subjectType, subjectId }, isWave = false) => {
    if (!community || (subjectType !== 'comment' && subjectType !== 'post')) return false
    go(
      toNewRulePath({
        communityId: community.communityId,
        [subjectType]: subjectId,
        ...(isWave && { wave: 'new' as const }),
      }),
    )
    return true
  }
}
