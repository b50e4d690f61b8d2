'use client'
import { useState } from 'react'
import { useWellness } from '#components/kit/wellness/use-wellness.ts'

type Level = 'covered' | 'veiled' | 'plain'

export interface Cover {
  /** Whether the pictures of the item are covered, shown softened, or as they are. */
  level: Level
  /** What comes after it; nothing where the person wants to see pictures as they are. */
  following: Level | undefined
  next: () => void
}

/** Each item's pictures are covered until they are asked for, and softened first, as far as the person chose so. */
export function useCover(itemId: string | undefined): Cover {
  const { isMediaCovered, isMediaSoftened } = useWellness()
  const [shown, setShown] = useState<{ itemId: string | undefined; level: Level }>()
  const levels: Level[] = [
    ...(isMediaCovered ? (['covered'] as const) : []),
    ...(isMediaSoftened ? (['veiled'] as const) : []),
    'plain',
  ]
  const first = levels[0] ?? 'plain'
  const level = shown && shown.itemId === itemId && levels.includes(shown.level) ? shown.level : first
  const following = levels.length > 1 ? (levels[levels.indexOf(level) + 1] ?? first) : undefined
  return { level, following, next: () => following && setShown({ itemId, level: following }) }
}
