import type { ReactNode } from 'react'

interface FactProps {
  name: ReactNode
  /** Whether a long one goes on below its name. */
  isSentence?: boolean
  children: ReactNode
}

/** A line of what is known of an item. */
export function Fact({ name, isSentence = false, children }: FactProps) {
  return (
    <div className={isSentence ? '*:inline' : 'flex items-baseline gap-1.5'}>
      <dt className="shrink-0 text-ink-3">{name}</dt> <dd className="wrap-anywhere text-ink">{children}</dd>
    </div>
  )
}
