'use client'
import type { Done } from '#components/kit/acts/done.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { ITEM_HEADING } from '../../state/use-selection.ts'
import { useDeskActs } from '../desk-acts.ts'

/**
 * Announces that a ban or mute of an author was ended, and refetches what was known about the author. Its button is gone then, so the item
 * has the focus.
 */
export function useLifted(): (done: Done) => void {
  const cache = useQueueCache()
  const { done } = useDeskActs()
  return ({ words, undo }) => {
    void cache.forgetAuthor()
    done({ words, ...(undo && { undo: () => undo().finally(cache.forgetAuthor) }) })
    document.getElementById(ITEM_HEADING)?.focus()
  }
}
