'use client'
import { lazy, type ReactNode } from 'react'
import { OnDemand } from '#components/ui/on-demand.tsx'

const ZonePopover = lazy(() => import('./zone-popover.tsx').then(({ ZonePopover }) => ({ default: ZonePopover })))

interface ZoneMenuProps {
  chosen: string
  onChoose: (zone: string) => void
  /** The button it hangs from. */
  children: ReactNode
}

/** A time zone, chosen from a list that is loaded when it opens. */
export function ZoneMenu({ children, ...picker }: ZoneMenuProps) {
  return (
    <OnDemand opens="dialog" button={children}>
      {(hanging) => <ZonePopover {...picker} hanging={hanging} />}
    </OnDemand>
  )
}
