'use client'
import { toNewRulePath } from '#components/kit/addresses/rules-search.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/**
 * Opens a new rule of the item's community, with what the item says, or only these words of it; whether the person may manage it, the page says. Returns
 * whether the item can have rules.
 */
export function useMakeRule(): (item: QueueItem, words?: string[]) => boolean {
  const go = useNavigate()
  return ({ community, subjectType, subjectId }, words = []) => {
    if (!community || (subjectType !== 'comment' && subjectType !== 'post')) return false
    const shared = words.length > 0 && { words: words.join(' ') }
    go(toNewRulePath({ communityId: community.communityId, [subjectType]: subjectId, ...shared }))
    return true
  }
}
