import type { ReactNode } from 'react'

/** A section of a person's page. */
export function Section({
  title,
  count,
  act,
  children,
}: {
  title: string
  count?: ReactNode
  act?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-label={title} className="[--edge:0px]">
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-1.5 border-b border-line-strong">
        <h2 className="font-bold text-ink">{title}</h2>
        {count !== undefined && <span className="text-ink-3">{count}</span>}
        {act}
      </div>
      {children}
    </section>
  )
}
