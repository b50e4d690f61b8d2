'use client'
import type { ReactNode } from 'react'
import { Popover as AriaPopover } from 'react-aria-components/Popover'
import type { PopoverTrigger } from './lazy-popover.tsx'

interface PopoverProps {
  trigger: PopoverTrigger
  label: string
  className?: string
  children: ReactNode
}

/** The surface of floating menus and pickers. Mounted for as long as it is open. */
export function Popover({ trigger: { triggerRef, onClose }, label, className = '', children }: PopoverProps) {
  return (
    <AriaPopover
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      triggerRef={triggerRef}
      placement="bottom start"
      offset={4}
      aria-label={label}
      className={`max-w-[calc(100vw-16px)] overflow-auto rounded-3 bg-raised text-ink-2 shadow-pop outline-none entering:animate-appear forced-colors:border ${className}`}
    >
      {children}
    </AriaPopover>
  )
}
