'use client'
import Link from 'next/link'
import type { ReactNode } from 'react'

export interface Subtab {
  href: string
  name: string
  /** How many there are behind it. */
  count?: ReactNode
  isCurrent: boolean
}

/** The parts of a thing that has a page of its own: its facts, its members and so on. */
export function Subtabs({ label, tabs }: { label: string; tabs: Subtab[] }) {
  return (
    <nav aria-label={label} className="flex shrink-0 flex-wrap gap-1 border-b border-line px-3">
      {tabs.map(({ href, name, count, isCurrent }) => (
        <Link
          key={href}
          href={href}
          prefetch={false}
          aria-current={isCurrent ? 'page' : undefined}
          className="px-2 pt-[7px] pb-2 text-ink-2 no-underline aria-[current]:font-bold aria-[current]:text-ink aria-[current]:shadow-[inset_0_-2px_var(--ink)] coarse:py-3"
        >
          {name} {count !== undefined && <span className="text-ink-3">{count}</span>}
        </Link>
      ))}
    </nav>
  )
}
