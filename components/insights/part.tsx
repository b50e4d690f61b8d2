import type { ReactNode } from 'react'

/** A section of the insights. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="mb-1 text-large font-bold text-ink">{title}</h2>
      {children}
    </section>
  )
}
