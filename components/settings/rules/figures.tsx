import type { ReactNode } from 'react'

/** Numbers with their names, and what they mean. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="mt-3 grid grid-cols-[auto_auto_minmax(0,1fr)] gap-x-4 border-t border-line phone:grid-cols-[minmax(0,1fr)_auto]">
      {children}
    </dl>
  )
}

export function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="col-span-3 grid grid-cols-subgrid items-baseline border-b border-line py-1.5 phone:col-span-2">
      <dt className="text-ink-2">{name}</dt>
      <dd className="text-end font-bold text-ink tabular-nums">{value}</dd>
      <dd className="text-ink-3 phone:col-span-2">{children}</dd>
    </div>
  )
}
