'use client'
import type { ReactNode } from 'react'
import type { ChoicePopoverProps } from './choice-popover.tsx'
import { lazyPart } from './lazy-part.tsx'
import { LazyPopover } from './lazy-popover.tsx'

const ChoicePopover = lazyPart(() => import('./choice-popover.tsx').then(({ ChoicePopover }) => ChoicePopover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})

export interface Choice<Id extends string> {
  id: Id
  label: string
  /** Such as a count, at the end of the line. */
  hint?: ReactNode
}

interface ChoiceMenuProps<Id extends string> extends Omit<ChoicePopoverProps, 'trigger' | 'choices' | 'onChoose'> {
  choices: Choice<Id>[]
  chosen: Id
  onChoose: (id: Id) => void
  /** The button that opens the menu. */
  children: ReactNode
}

/** Selects one of several from a menu that is loaded when it opens. */
export function ChoiceMenu<Id extends string>({ children, onChoose, ...menu }: ChoiceMenuProps<Id>) {
  return (
    <LazyPopover opens="menu" button={children}>
      {/* Safe: the returned id is that of one of the choices. */}
      {(trigger) => <ChoicePopover {...menu} trigger={trigger} onChoose={(id) => onChoose(id as Id)} />}
    </LazyPopover>
  )
}
