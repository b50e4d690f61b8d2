import type { ReactNode } from 'react'

/** Facts, one per line; unknown ones are left out. */
export function FactList({ facts }: { facts: { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid max-w-180 grid-cols-[minmax(0,12rem)_minmax(0,1fr)] gap-x-4 phone:grid-cols-1">
      {facts
        .filter(({ value }) => value !== undefined && value !== '')
        .map(({ name, value }) => (
          <div
            key={name}
            className="col-span-full grid grid-cols-subgrid items-baseline border-b border-line py-1.5 phone:block"
          >
            <dt className="text-ink-3">{name}</dt>
            <dd className="wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
