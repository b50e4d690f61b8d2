'use client'
import { type Choice, ChoiceList } from './choice-list.tsx'
import type { PopoverTrigger } from './lazy-popover.tsx'
import { Popover } from './popover.tsx'

export interface ChoicePopoverProps {
  trigger: PopoverTrigger
  label: string
  choices: Choice<string>[]
  chosen: string | undefined
  onChoose: (id: string) => void
}

export function ChoicePopover({ trigger, ...list }: ChoicePopoverProps) {
  return (
    <Popover trigger={trigger} label={list.label} className="max-h-[min(420px,70vh)] min-w-52">
      <ChoiceList
        {...list}
        onChoose={(id) => {
          trigger.onClose()
          list.onChoose(id)
        }}
      />
    </Popover>
  )
}
