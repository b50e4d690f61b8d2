'use client'
import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { moveItem } from './move-item.ts'

export interface OrderedItem {
  id: string
  /** Its name for screen readers, and the label of its handle. */
  name: string
  moveLabel: string
  content: ReactNode
}

interface OrderListProps {
  label: string
  items: OrderedItem[]
  onOrder: (ids: string[]) => void
}

/** Items that are reordered by their handles: with the pointer, or with Enter and arrows. */
export function OrderList({ label, items, onOrder }: OrderListProps) {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const ids = items.map(({ id }) => id)
      const side = target.dropPosition === 'before' ? 'before' : 'after'
      onOrder(moveItem(ids, { ids: [...keys].map(String), side, of: String(target.key) }))
    },
  })
  return (
    <GridList
      aria-label={label}
      items={items}
      dragAndDropHooks={dragAndDropHooks}
      className="mt-4 border-t border-line-strong [&_.react-aria-DropIndicator]:outline-2 [&_.react-aria-DropIndicator]:outline-transparent [&_.react-aria-DropIndicator[data-drop-target]]:outline-accent"
    >
      {({ name, moveLabel, content }) => (
        <GridListItem
          textValue={name}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 outline-offset-[-2px] data-dragging:opacity-55"
        >
          <AriaButton
            slot="drag"
            aria-label={moveLabel}
            className="grid size-6 shrink-0 cursor-grab place-items-center rounded-1 text-ink-3 hover:bg-hover coarse:size-10"
          >
            <GripVertical />
          </AriaButton>
          {content}
        </GridListItem>
      )}
    </GridList>
  )
}
