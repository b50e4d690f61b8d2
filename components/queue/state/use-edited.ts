'use client'
import { useState } from 'react'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from './item-id.ts'

/** What an item said, in which version. */
interface Said {
  item: QueueItem
  /** With its whole text; undefined while only its beginning is shown. */
  read: ReviewItem | undefined
}

/**
 * What the current item said when it was opened, if its author has changed that since. Until `confirm`, nobody has said that they read the new
 * text: a key pressed for the old one decides nothing.
 */
export function useEdited(item: QueueItem | undefined, read: ReviewItem | undefined) {
  const [opened, setOpened] = useState<Said>()
  const [confirmed, setConfirmed] = useState<number>()
  const now = item && { item, read }
  if (isOpenedBy(opened, now)) {
    setOpened(now)
    setConfirmed(undefined)
  }
  const isEdited = now !== undefined && opened !== undefined && isChanged(opened, now)
  return {
    before: isEdited ? opened.item : undefined,
    needsConfirmation: isEdited && confirmed !== now.item.version,
    confirm: (version = now?.item.version) => setConfirmed(version),
  }
}
export type Edited = ReturnType<typeof useEdited>

/** Whether it is another item, or what was open is now read in this version. */
function isOpenedBy(opened: Said | undefined, now: Said | undefined): boolean {
  if (!opened || !now) return opened !== now
  if (itemIdOf(opened.item) !== itemIdOf(now.item)) return true
  return !opened.read && now.read !== undefined && opened.item.version === now.item.version
}

function isChanged(opened: Said, now: Said): boolean {
  if (itemIdOf(opened.item) !== itemIdOf(now.item) || opened.item.version === now.item.version) return false
  const [before, after] = opened.read && now.read ? [opened.read, now.read] : [opened.item, now.item]
  return before.text !== after.text || before.title !== after.title
}
