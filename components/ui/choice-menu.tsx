'use client'
import type { ReactNode } from 'react'
import type { Choice } from './choice-list.tsx'
import type { ChoicePopoverProps } from './choice-popover.tsx'
import { lazyPart } from './lazy-part.tsx'
import { LazyPopover } from './lazy-popover.tsx'

const ChoicePopover = lazyPart(() => import('./choice-popover.tsx').then(({ ChoicePopover }) => ChoicePopover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})

interface ChoiceMenuProps<Id extends string> extends Omit<ChoicePopoverProps, 'trigger' | 'choices' | 'onChoose'> {
  choices: Choice<Id>[]
  chosen: Id | undefined
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
