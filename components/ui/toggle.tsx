'use client'
import type { ReactNode } from 'react'

interface ToggleProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  /** Set if the label is elsewhere. */
  'aria-labelledby'?: string
  className?: string
  children?: ReactNode
}

/** A switch with its label. */
export function Toggle({ isOn, onChange, className = '', children, ...rest }: ToggleProps) {
  return (
    <label className={`relative ${className}`}>
      <input
        {...rest}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="peer sr-only"
      />
      <span className="mt-0.5 flex h-5 w-[34px] shrink-0 items-center rounded-full border border-line-control bg-raised px-0.5 peer-checked:justify-end peer-checked:border-accent peer-checked:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus peer-checked:[&>span]:bg-on-accent forced-colors:peer-checked:bg-[Highlight] forced-colors:peer-checked:[&>span]:bg-[HighlightText]">
        <span className="size-3.5 rounded-full bg-line-control forced-colors:bg-[ButtonText]" />
      </span>
      {children}
    </label>
  )
}
