'use client'
import type { ReactNode } from 'react'
import { Switch } from 'react-aria-components/Switch'

interface ToggleProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  /** Set if the label is elsewhere. */
  'aria-labelledby'?: string
  className?: string
  children?: ReactNode
}

/** A switch with its label. */
export function Toggle({ isOn, className = '', children, ...rest }: ToggleProps) {
  return (
    <Switch {...rest} isSelected={isOn} className={`group ${className}`}>
      <span className="mt-0.5 flex h-5 w-[34px] shrink-0 items-center rounded-full border border-line-control bg-raised px-0.5 group-selected:border-accent group-selected:bg-accent group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-focus forced-colors:group-selected:bg-[Highlight]">
        <span className="size-3.5 rounded-full bg-line-control group-selected:ms-auto group-selected:bg-on-accent forced-colors:bg-[ButtonText] forced-colors:group-selected:bg-[HighlightText]" />
      </span>
      {children}
    </Switch>
  )
}
