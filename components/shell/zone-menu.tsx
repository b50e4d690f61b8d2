'use client'
import type { ReactNode } from 'react'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { OnDemand } from '#components/ui/on-demand.tsx'

const ZonePopover = lazyPart(() => import('./zone-popover.tsx').then(({ ZonePopover }) => ZonePopover), {
  onFailed: ({ hanging }) => hanging.onClose(),
})

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
