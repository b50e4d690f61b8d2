'use client'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Brand } from '#components/kit/frame/brand.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Connection } from './connection.tsx'
import { PaletteButton } from './palette/palette-button.tsx'
import { PauseReminder } from './pause-reminder.tsx'
import { ZoneButton } from './zone-button.tsx'

/** `where` is the page's name, as its heading. */
export function TopBar({ where, acts }: { where: ReactNode; acts?: ReactNode }) {
  return (
    <header className="relative col-span-full flex items-center gap-2 border-b border-line-strong pe-3 phone:gap-0.5 phone:ps-1 phone:pe-2">
      <Link
        href="/"
        prefetch={false}
        aria-label="Docket"
        className="flex h-full w-nav items-center gap-[9px] ps-[15px] text-large font-bold tracking-[-0.015em] text-ink no-underline narrow:w-13 phone:w-auto phone:ps-2 phone:pe-0.5"
      >
        <Brand nameClass="narrow:hidden" />
      </Link>
      {where}
      <PauseReminder />
      <div className="group/acts ms-auto flex shrink-0 items-center gap-1">
        {acts}
        <PaletteButton />
        <ZoneButton />
        <Connection />
        <AccountMenu />
      </div>
    </header>
  )
}
