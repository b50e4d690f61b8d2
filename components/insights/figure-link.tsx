import Link from 'next/link'
import type { ReactNode } from 'react'

/** A figure, linked to the list behind it if the person may open that. */
export function FigureLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return children
  return (
    <Link
      href={href}
      prefetch={false}
      className="inline-block min-h-6 text-inherit decoration-line-control decoration-1 underline-offset-4"
    >
      {children}
    </Link>
  )
}
