'use client'
import { Check, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import type { ContentSelection } from './use-content-selection.ts'
import { useRemoveWords } from './use-remove-words.ts'

interface SelectionBarProps {
  selection: ContentSelection
  onDecide: (outcome: HeldOutcome) => void
}

/** At the foot of the window while entries are selected: what can be done with them. */
export function SelectionBar({ selection, onDecide }: SelectionBarProps) {
  const many = useTranslations('many')
  const bulk = useTranslations('bulk')
  const removeWords = useRemoveWords()
  const [approveKey, rejectKey] = [useShortcut('approve'), useShortcut('reject')]
  const entries = [...selection.selected.values()]
  if (entries.length === 0) return null
  const held = entries.filter(({ state }) => state === 'held').length
  return (
    <div
      role="toolbar"
      aria-label={many('label')}
      className="sticky bottom-2 z-2 mt-2 flex animate-appear flex-wrap items-center gap-x-3 gap-y-1.5 rounded-3 border border-line-strong bg-selected px-3 py-2 shadow-pop"
    >
      <b className="font-bold text-ink">{bulk('selected', { count: entries.length })}</b>
      <span className="flex flex-wrap gap-1.5 phone:order-1 phone:w-full">
        {held > 0 && (
          <Button look="approve" aria-keyshortcuts={approveKey} onPress={() => onDecide('approved')}>
            <Check className="size-3.5" />
            {many('do.approved', { count: held })}
            <ActKeycap act="approve" className="border-approve-edge text-approve phone:hidden" />
          </Button>
        )}
        <Button look="reject" aria-keyshortcuts={rejectKey} onPress={() => onDecide('rejected')}>
          <X className="size-3.5" />
          {removeWords({ held, published: entries.length - held })}
          <ActKeycap act="reject" className="border-reject-edge text-reject phone:hidden" />
        </Button>
      </span>
      <Button look="bare" size="small" className="ms-auto" onPress={selection.clear}>
        {many('clear')}
        <ActKeycap act="back" className="phone:hidden" />
      </Button>
    </div>
  )
}
