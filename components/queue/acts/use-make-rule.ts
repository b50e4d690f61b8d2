'use client'
import { toNewRulePath } from '#components/kit/addresses/rules-search.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { WaveTraits } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/**
 * Opens a new rule of the item's community, with what the item says, or what its wave shares; whether the person may manage it, the page says. Returns
 * whether the item can have rules.
 */
export function useMakeRule(): (item: QueueItem, wave?: WaveTraits) => boolean {
  const go = useNavigate()
  return ({ community, subjectType, subjectId }, wave) => {
    if (!community || (subjectType !== 'comment' && subjectType !== 'post')) return false
    const shared = wave && {
      words: wave.words.join(' '),
      domains: wave.domains.join(' '),
      ...(wave.communities > 1 && { communities: wave.communities }),
    }
    go(toNewRulePath({ communityId: community.communityId, [subjectType]: subjectId, ...shared }))
    return true
  }
}
