'use client'
import { GripVertical } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { Keycap } from '#components/ui/keycap.tsx'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'
import { moveItem } from './move-item.ts'

interface ReasonListProps {
  reasons: RejectionReason[]
  onOrder: (reasonIds: string[]) => void
  onChange: (reason: RejectionReason) => void
  onRetire: (reason: RejectionReason) => void
}

const WITH_A_KEY = 9

/** The reasons in order, each with its key; reordered by their handles, with the pointer or with Enter and arrows. */
export function ReasonList({ reasons, onOrder, onChange, onRetire }: ReasonListProps) {
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
      items={reasons.map((reason, index) => ({ ...reason, id: reason.reasonId, number: index + 1 }))}
      dragAndDropHooks={dragAndDropHooks}
      className="mt-4 border-t border-line-strong [&_.react-aria-DropIndicator]:outline-2 [&_.react-aria-DropIndicator]:outline-transparent [&_.react-aria-DropIndicator[data-drop-target]]:outline-accent"
    >
      {(reason) => (
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
          <span className="grid w-7 shrink-0 place-items-center">
            {reason.number <= WITH_A_KEY ? (
              <Keycap>{String(reason.number)}</Keycap>
            ) : (
              <span className="text-small text-ink-3" title={t('noKey')}>
                {reason.number}
              </span>
            )}
          </span>
          <span className="min-w-40 flex-1 wrap-anywhere">
            <span dir="auto" className="block font-firm text-ink">
              {reason.label}
            </span>
            <span dir="auto" className={`block ${reason.textToAuthor ? '' : 'text-ink-3'}`}>
              {reason.textToAuthor ?? t('noText')}
            </span>
          </span>
          <span className="flex gap-1.5">
            <Button aria-label={t('changeOf', { label: reason.label })} onPress={() => onChange(reason)}>
              {t('change')}
            </Button>
            <Button aria-label={t('retireOf', { label: reason.label })} onPress={() => onRetire(reason)}>
              {t('retire')}
            </Button>
          </span>
        </GridListItem>
      )}
    </GridList>
  )
}
