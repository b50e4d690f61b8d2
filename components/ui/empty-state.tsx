import type { ReactNode } from 'react'

/** An empty pane: what is the case, then the next step. */
export function EmptyState({
  icon,
  title,
  children,
  act,
}: {
  icon: ReactNode
  title: string
  children?: ReactNode
  act?: ReactNode
}) {
  return (
    <div className="m-auto grid max-w-[46ch] justify-items-start gap-1 px-6 py-7">
      <span className="mb-1 text-ink-3 [&_.lucide]:size-5">{icon}</span>
      <h2 className="text-large font-bold wrap-anywhere text-ink">{title}</h2>
      {children && <p className="wrap-anywhere">{children}</p>}
      {act && <div className="mt-2 flex flex-wrap gap-2">{act}</div>}
    </div>
  )
}
