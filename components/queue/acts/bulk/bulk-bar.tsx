'use client'
import { Check, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import { SELECTION_LIMIT } from '../../state/selected-items.ts'
import type { Choosing } from './use-selected-items.ts'

const BUTTONS = [
  { outcome: 'approved', act: 'approve', look: 'approve', icon: Check, capLook: 'border-approve-edge text-approve' },
  { outcome: 'rejected', act: 'reject', look: 'reject', icon: X, capLook: 'border-reject-edge text-reject' },
] as const

interface BulkBarProps {
  choosing: Choosing
  onDecide: (outcome: HeldOutcome) => void
}

/** At the foot of the list: how many items are selected, and how many of them each act applies to. */
export function BulkBar({ choosing, onDecide }: BulkBarProps) {
  const t = useTranslations('many')
  const said = useTranslations('bulk')
  const { items, isCut, isFull, left, apart } = choosing
  const open = [...items.values()].filter(({ isOpen }) => isOpen).length
  const notes = [
    isFull && said('tooMany', { count: SELECTION_LIMIT }),
    isCut && t('moreMatch', { count: items.size }),
    open < items.size && t('notOpen', { count: items.size - open }),
    left > 0 && said('left', { count: left }),
    apart > 0 && said('apart', { count: apart }),
  ].filter(Boolean)

  return (
    <div
      role="toolbar"
      aria-label={t('label')}
      className="@container animate-appear border-t border-line-strong bg-selected px-3 py-2 forced-colors:border"
    >
      <div className="flex items-center gap-2">
        <b className="font-bold text-ink">{said('selected', { count: items.size })}</b>
        <Button look="bare" size="small" className="-me-1 ms-auto" onPress={choosing.clear}>
          {t('clear')}
          <ActKeycap act="back" className="phone:hidden" />
        </Button>
      </div>
      {notes.length > 0 && <p className="text-small">{notes.join(' ')}</p>}
      {items.size > 0 && (
        <div className="mt-1 flex gap-1.5">
          {BUTTONS.map((button) => (
            <BulkButton key={button.outcome} button={button} count={open} onDecide={onDecide} />
          ))}
        </div>
      )}
    </div>
  )
}

interface BulkButtonProps {
  button: (typeof BUTTONS)[number]
  count: number
  onDecide: (outcome: HeldOutcome) => void
}

function BulkButton({ button: { outcome, act, look, icon: Icon, capLook }, count, onDecide }: BulkButtonProps) {
  const t = useTranslations('many')
  return (
    <Button
      look={look}
      aria-keyshortcuts={useShortcut(act)}
      className="min-w-0 flex-1 px-1.5! phone:h-11"
      onPress={() => onDecide(outcome)}
    >
      <Icon className="size-3.5" />
      {t(`do.${outcome}`, { count })}
      <ActKeycap act={act} className={`phone:hidden ${capLook}`} />
    </Button>
  )
}
