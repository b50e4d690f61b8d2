'use client'
import { ChevronLeft } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'

/** A link to the parent page. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} prefetch={false} className="mb-0.5 flex min-h-6 w-fit items-center gap-1 font-firm">
      <ChevronLeft className="size-3.5 rtl:-scale-x-100" />
      {children}
    </Link>
  )
}
