'use client'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'

/** The look of an entry below a heading of the navigation. */
export const SUB = 'h-[26px] me-2 -ms-1 aria-[current]:bg-selected aria-[current]:text-ink aria-[current]:font-firm'

interface NavLinkProps {
  href: string
  current: 'page' | 'true' | undefined
  look: string
  title?: string | undefined
  children: ReactNode
}

/** An entry of the navigation. Its page is fetched while the pointer or the focus is on it. */
export function NavLink({ href, current, look, title, children }: NavLinkProps) {
  const [isPointedAt, setPointedAt] = useState(false)
  const point = () => setPointedAt(true)
  const leave = () => setPointedAt(false)
  return (
    <Link
      href={href}
      prefetch={isPointedAt && current !== 'page'}
      onPointerEnter={point}
      onPointerLeave={leave}
      onFocus={point}
      onBlur={leave}
      aria-current={current}
      title={title}
      className={`flex shrink-0 items-center gap-[9px] rounded-2 px-2 text-ink-2 no-underline hover:bg-hover coarse:h-10 forced-colors:aria-[current]:outline-2 forced-colors:aria-[current]:-outline-offset-2 ${look}`}
    >
      {children}
    </Link>
  )
}
