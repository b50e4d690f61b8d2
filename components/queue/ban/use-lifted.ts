'use client'
import { useDeskActs } from '../acts/desk-acts.ts'
import { useQueueCache } from '../use-queue-cache.ts'

/** Says that a ban of an author was lifted, and reads anew what was known of them. */
export function useLifted(): (words: string) => void {
  const cache = useQueueCache()
  const { done } = useDeskActs()
  return (words) => {
    cache.forgetAuthor()
    done({ words })
  }
}
