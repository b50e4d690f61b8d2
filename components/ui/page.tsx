import type { ReactNode } from 'react'

/** What a page of the desk holds, below the top bar: it scrolls by itself, and reaches from edge to edge. */
export function Page({ children }: { children: ReactNode }) {
  return <main className="relative flex min-h-0 min-w-0 flex-col overflow-auto bg-surface">{children}</main>
}

interface PageHeadProps {
  title: ReactNode
  /** In a sentence or two: what it is, its facts, its id. */
  about?: ReactNode
  acts?: ReactNode
}

/** What the page is about, and what can be done with the whole of it. */
export function PageHead({ title, about, acts }: PageHeadProps) {
  return (
    <div className="mb-2.5 flex shrink-0 flex-wrap items-start gap-x-3 gap-y-2 ps-[18px] pe-4 pt-4 phone:px-3">
      <div className="min-w-0 flex-1 basis-64">
        <h2 dir="auto" className="text-title font-bold tracking-[-0.012em] wrap-anywhere text-ink">
          {title}
        </h2>
        {about && <div className="text-ink-3">{about}</div>}
      </div>
      {acts && <div className="flex flex-wrap gap-2">{acts}</div>}
    </div>
  )
}
