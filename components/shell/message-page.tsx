'use client'
import type { ReactNode } from 'react'

/** A page with a single message. */
export function MessagePage({
  icon,
  title,
  act,
  children,
}: {
  icon: ReactNode
  title: string
  act: ReactNode
  children: ReactNode
}) {
  return (
    <main className="grid min-h-dvh content-center justify-items-center p-4">
      <div className="grid max-w-[46ch] justify-items-start gap-1">
        <span className="mb-1 text-ink-3 [&_.lucide]:size-5">{icon}</span>
        <h1 className="text-large font-bold text-ink">{title}</h1>
        <p>{children}</p>
        <div className="mt-2">{act}</div>
      </div>
    </main>
  )
}
