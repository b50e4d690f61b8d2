'use client'
import type { Choice } from '#components/ui/choice-list.tsx'
import type { PopoverTrigger } from '#components/ui/lazy-popover.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { SearchList } from '#components/ui/search-list.tsx'

export interface FindProps {
  trigger: PopoverTrigger
  chosen: string | undefined
  onChoose: (id: string, displayName: string) => void
}

interface FindPopoverProps extends FindProps {
  label: string
  /** The label of the search field. */
  find: string
  /** The text for no results. */
  empty: string
  choices: Choice<string>[]
  typed: { value: string; onChange: (value: string) => void }
}

/** Selects one of the choices that the server found for the typed text, and closes. */
export function FindPopover({ trigger, onChoose, ...list }: FindPopoverProps) {
  return (
    <Popover trigger={trigger} label={list.label} className="w-72">
      <SearchList
        {...list}
        onChoose={(id) => {
          trigger.onClose()
          onChoose(id, list.choices.find((choice) => choice.id === id)?.label ?? id)
        }}
      />
    </Popover>
  )
}
