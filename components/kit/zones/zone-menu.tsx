'use client'
import type { ReactNode } from 'react'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'

const ZonePopover = lazyPart(() => import('./zone-popover.tsx').then(({ ZonePopover }) => ZonePopover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})

interface ZoneMenuProps {
  chosen: string
  onChoose: (zone: string) => void
  /** The button that opens the menu. */
  children: ReactNode
}

/** A time zone, selected from a list that is loaded when it opens. */
export function ZoneMenu({ children, ...picker }: ZoneMenuProps) {
  return (
    <LazyPopover opens="dialog" button={children}>
      {(trigger) => <ZonePopover {...picker} trigger={trigger} />}
    </LazyPopover>
  )
}
