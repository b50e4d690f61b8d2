import type { ReactNode } from 'react'

const IN_SECTION = 'mt-5 justify-items-start py-2'

/** An empty pane: what is the case, then the next step. In the middle, or at the start of a section. */
export function EmptyState({
  icon,
  title,
  children,
  act,
  isInSection = false,
}: {
  icon: ReactNode
  title: string
  children?: ReactNode
  act?: ReactNode
  isInSection?: boolean
}) {
  return (
    <div
      className={`grid max-w-[46ch] gap-1 ${isInSection ? IN_SECTION : 'm-auto justify-items-center px-6 py-7 text-center'}`}
    >
      <span className="mb-1 text-ink-3 [&_.lucide]:size-5">{icon}</span>
      <h2 className="text-large font-bold wrap-anywhere text-ink">{title}</h2>
      {children && <p className="wrap-anywhere">{children}</p>}
      {act && <div className={`mt-2 flex flex-wrap gap-2 ${isInSection ? '' : 'justify-center'}`}>{act}</div>}
    </div>
  )
}
