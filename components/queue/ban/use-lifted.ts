'use client'
import type { Done } from '#components/kit/acts/done.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import { useQueueCache } from '../use-queue-cache.ts'

/** Announces that a ban or mute of an author was lifted, and refetches what was known about the author, also after that is undone. */
export function useLifted(): (act: Done) => void {
  const cache = useQueueCache()
  const { done } = useDeskActs()
  return ({ words, takeBack }) => {
    cache.forgetAuthor()
    done({ words, ...(takeBack && { takeBack: () => takeBack().finally(() => cache.forgetAuthor()) }) })
  }
}
