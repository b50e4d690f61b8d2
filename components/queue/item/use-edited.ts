'use client'
import { useState } from 'react'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../item-id.ts'

/** What an item said, in which version. */
interface Said {
  itemId: string
  version: number
  title?: string | undefined
  text: string
  isFlagged: boolean
}

/**
 * What the current item said when it was opened, if its author has changed that since. Until `confirm`, nobody has said that they read the new
 * text: a key pressed for the old one decides nothing.
 */
export function useEdited(shown: QueueItem | undefined) {
  const [opened, setOpened] = useState<Said>()
  const [confirmed, setConfirmed] = useState<number>()
  const now = shown && toSaid(shown)
  if (opened?.itemId !== now?.itemId) {
    setOpened(now)
    setConfirmed(undefined)
  }
  const isEdited =
    now !== undefined &&
    opened?.itemId === now.itemId &&
    opened.version !== now.version &&
    (opened.text !== now.text || opened.title !== now.title)
  return {
    before: isEdited ? opened : undefined,
    needsConfirmation: isEdited && confirmed !== now.version,
    confirm: () => setConfirmed(now?.version),
  }
}
export type Edited = ReturnType<typeof useEdited>

function toSaid(item: QueueItem): Said {
  const { version, title, text, flagCount } = item
  return { itemId: itemIdOf(item), version, title, text, isFlagged: flagCount > 0 }
}
