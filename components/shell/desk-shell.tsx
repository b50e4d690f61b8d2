import type { ReactNode } from 'react'
import { ActsProvider } from '#components/keys/acts-context.tsx'
import { PauseProvider } from '#components/kit/wellness/pause-context.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PaletteHost } from './palette/palette-host.tsx'
import { SkipLink } from './skip-link.tsx'

/** The desk's layout: a top bar over navigation and main; the navigation shows only icons at 1180 px and becomes a bottom bar at 640 px. */
export function DeskShell({
  top,
  nav,
  tabs,
  children,
}: {
  top: ReactNode
  nav: ReactNode
  tabs: ReactNode
  children: ReactNode
}) {
  return (
    <ActsProvider>
      <PauseProvider>
        <PaletteHost>
          <div className="grid h-dvh grid-cols-[var(--nav)_minmax(0,1fr)] grid-rows-[minmax(var(--bar),auto)_auto_minmax(0,1fr)] narrow:grid-cols-[52px_minmax(0,1fr)] phone:grid-cols-[minmax(0,1fr)] phone:grid-rows-[minmax(48px,auto)_auto_minmax(0,1fr)_minmax(56px,auto)]">
            <SkipLink />
            {top}
            <OfflineBanner />
            {nav}
            {children}
            {tabs}
          </div>
        </PaletteHost>
      </PauseProvider>
    </ActsProvider>
  )
}
