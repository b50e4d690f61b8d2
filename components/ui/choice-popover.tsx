'use client'
import { ChoiceList } from './choice-list.tsx'
import type { Choice } from './choice-menu.tsx'
import { Floating } from './floating.tsx'
import type { Hanging } from './on-demand.tsx'

export interface ChoicePopoverProps {
  hanging: Hanging
  label: string
  choices: Choice<string>[]
  chosen: string | undefined
  onChoose: (id: string) => void
}

export function ChoicePopover({ hanging, ...list }: ChoicePopoverProps) {
  return (
    <Floating hanging={hanging} label={list.label} className="max-h-[min(420px,70vh)] min-w-52">
      <ChoiceList
        {...list}
        onChoose={(id) => {
          hanging.onClose()
          list.onChoose(id)
        }}
      />
    </Floating>
  )
}
