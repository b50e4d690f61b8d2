import type { ReactNode } from 'react'

const LOOK = {
  plain: 'bg-sunken text-ink-2',
  reject: 'bg-reject-tint text-reject',
  warn: 'bg-warn-tint text-warn',
}

/** A badge for an unusual state; the usual state is plain text. */
export function Badge({ look = 'plain', children }: { look?: keyof typeof LOOK; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5 items-center gap-1 rounded-1 px-1.5 text-small font-firm whitespace-nowrap forced-colors:border [&_.lucide]:size-3.5 ${LOOK[look]}`}
    >
      {children}
    </span>
  )
}
