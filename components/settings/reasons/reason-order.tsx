'use client'
import { GripVertical } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { useTranslations } from 'use-intl'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'
import { moveItem } from './move-item.ts'
import { ReasonText } from './reason-text.tsx'

interface ReasonOrderProps {
  reasons: RejectionReason[]
  onOrder: (reasonIds: string[]) => void
}

/** The reasons, reordered by their handles: with the pointer, or with Enter and arrows. */
export function ReasonOrder({ reasons, onOrder }: ReasonOrderProps) {
  const t = useTranslations('reasonSettings')
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const ids = reasons.map(({ reasonId }) => reasonId)
      const side = target.dropPosition === 'before' ? 'before' : 'after'
      onOrder(moveItem(ids, { ids: [...keys].map(String), side, of: String(target.key) }))
    },
  })
  return (
    <GridList
      aria-label={t('title')}
      items={reasons.map((reason, index) => ({ reason, id: reason.reasonId, number: index + 1 }))}
      dragAndDropHooks={dragAndDropHooks}
      className="mt-4 border-t border-line-strong [&_.react-aria-DropIndicator]:outline-2 [&_.react-aria-DropIndicator]:outline-transparent [&_.react-aria-DropIndicator[data-drop-target]]:outline-accent"
    >
      {({ reason, number }) => (
        <GridListItem
          textValue={reason.label}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 outline-offset-[-2px] data-dragging:opacity-55"
        >
          <AriaButton
            slot="drag"
            aria-label={t('move', { label: reason.label })}
            className="grid size-6 shrink-0 cursor-grab place-items-center rounded-1 text-ink-3 hover:bg-hover coarse:size-10"
          >
            <GripVertical />
          </AriaButton>
          <ReasonText reason={reason} number={number} />
        </GridListItem>
      )}
    </GridList>
  )
}
