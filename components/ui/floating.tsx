'use client'
import type { ReactNode } from 'react'
import { Popover } from 'react-aria-components/Popover'

/** The ground of what floats over the desk: menus and pickers. */
export function Floating({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <Popover
      offset={4}
      className={`max-w-[calc(100vw-16px)] overflow-auto rounded-3 bg-raised text-ink-2 shadow-pop entering:animate-appear forced-colors:border ${className}`}
    >
      {children}
    </Popover>
  )
}
