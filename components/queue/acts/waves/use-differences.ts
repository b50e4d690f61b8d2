'use client'
import { useMemo } from 'react'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { differences } from './differences.ts'

/** The words of each member that differ from the open item. */
export function useDifferences({ title, text, ...subject }: QueueItem, members: PreviewedItem[] | undefined) {
  const itemId = itemIdOf(subject)
  return useMemo(() => {
    const open = members?.find((member) => itemIdOf(member) === itemId)?.excerpt ?? title ?? text
    return new Map(members?.map((member) => [itemIdOf(member), differences(open, member.excerpt)]))
  }, [members, itemId, title, text])
}
