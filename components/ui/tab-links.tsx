'use client'
import Link from 'next/link'
import type { ReactNode } from 'react'

export interface TabLink {
  href: string
  name: string
  count?: ReactNode
  isCurrent: boolean
}

/** Tabs, each with its own URL. */
export function TabLinks({ label, tabs }: { label: string; tabs: TabLink[] }) {
  return (
    <nav aria-label={label} className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-[7px] phone:px-1">
      {tabs.map(({ href, name, count, isCurrent }) => (
        <Link
          key={href}
          href={href}
          prefetch={false}
          aria-current={isCurrent ? 'page' : undefined}
          className="flex h-9 items-center gap-1 px-2.5 whitespace-nowrap text-ink-2 no-underline -outline-offset-2 hover:text-ink aria-[current]:font-bold aria-[current]:text-ink aria-[current]:shadow-[inset_0_-2px_var(--ink)] coarse:h-11 forced-colors:aria-[current]:outline-2"
        >
          {name}
          {count !== undefined && <span className="tabular-nums text-ink-3">{count}</span>}
        </Link>
      ))}
    </nav>
  )
}
