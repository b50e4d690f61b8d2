import type { ReactNode } from 'react'

/** The content of a desk page below the top bar: scrolls by itself and has no outer margin. */
export function Page({ children }: { children: ReactNode }) {
  return <main className="relative flex min-h-0 min-w-0 flex-col overflow-auto bg-surface">{children}</main>
}

interface PageHeadProps {
  title: ReactNode
  /** A sentence or two: a description, facts, or the id. */
  about?: ReactNode
  acts?: ReactNode
}

/** The title of a page, and acts on the whole of it. */
export function PageHead({ title, about, acts }: PageHeadProps) {
  return (
    <div className="mb-2.5 flex shrink-0 flex-wrap items-start gap-x-3 gap-y-2 ps-[18px] pe-4 pt-4 phone:px-3">
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="text-title font-bold tracking-[-0.012em] wrap-anywhere text-ink">
          <bdi>{title}</bdi>
        </h1>
        {about && <div className="text-ink-3">{about}</div>}
      </div>
      {acts && <div className="flex flex-wrap gap-2">{acts}</div>}
    </div>
  )
}
