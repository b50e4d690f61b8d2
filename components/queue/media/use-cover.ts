'use client'
import { useState } from 'react'

const LEVELS = ['covered', 'veiled', 'plain'] as const
type Level = (typeof LEVELS)[number]

export interface Cover {
  /** Whether the pictures of the item are covered, shown grey and blurred, or as they are. */
  level: Level
  next: () => void
}

/** Each item's pictures are covered until they are asked for. */
export function useCover(itemId: string | undefined): Cover {
  const [shown, setShown] = useState<{ itemId: string | undefined; level: Level }>()
  const level = shown && shown.itemId === itemId ? shown.level : 'covered'
  return {
    level,
    next: () => setShown({ itemId, level: LEVELS[(LEVELS.indexOf(level) + 1) % LEVELS.length] ?? 'covered' }),
  }
}
