'use client'
import { ChoiceList, type ChoiceListProps } from './choice-list.tsx'
import type { PopoverTrigger } from './lazy-popover.tsx'
import { Popover } from './popover.tsx'

export interface ChoicePopoverProps extends ChoiceListProps {
  trigger: PopoverTrigger
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
