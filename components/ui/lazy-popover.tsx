'use client'
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { TriggerContext } from './native-button.tsx'

/** What a popover needs from the button that opens it. */
export interface PopoverTrigger {
  triggerRef: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

interface LazyPopoverProps {
  button: ReactNode
  opens: 'menu' | 'dialog'
  children: (trigger: PopoverTrigger) => ReactNode
}

/** A button with a popover that is created when it opens, so that it can be loaded then too. */
export function LazyPopover({ button, opens, children }: LazyPopoverProps) {
  const triggerRef = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const trigger = useMemo(
    () => ({
      ref: triggerRef,
      'aria-haspopup': opens,
      'aria-expanded': isOpen,
      onPress: () => setOpen(true),
    }),
    [opens, isOpen],
  )

  return (
    <>
      <TriggerContext value={trigger}>{button}</TriggerContext>
      {isOpen && children({ triggerRef, onClose: () => setOpen(false) })}
    </>
  )
}
