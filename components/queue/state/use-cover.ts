'use client'
import { useState } from 'react'
import { useWellness } from '#components/kit/wellness/use-wellness.ts'

type Level = 'covered' | 'veiled' | 'plain'

export interface Cover {
  /** Whether the item's pictures are hidden, softened, or shown as they are. */
  level: Level
  /** The next level; undefined for people who want pictures as they are. */
  following: Level | undefined
  next: () => void
}

/** Hides each item's pictures until revealed, and softens them first, according to the person's preferences. */
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
