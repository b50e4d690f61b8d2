'use client'
import { useDeskActs } from '../acts/desk-acts.ts'
import { useQueueCache } from '../use-queue-cache.ts'

/** Announces that a ban of an author was lifted, and refetches what was known about the author. */
export function useLifted(): (words: string) => void {
  const cache = useQueueCache()
  const { done } = useDeskActs()
  return (words) => {
    cache.forgetAuthor()
    done({ words })
  }
}
