import { Fragment, type ReactNode } from 'react'

/** A row of a list: its name, facts below it, and its buttons. */
export function Row({ title, about, children }: { title: ReactNode; about: ReactNode; children?: ReactNode }) {
  return (
    <li className="flex min-h-table-row flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5">
      <span className="min-w-0 flex-1 basis-56">
        {typeof title === 'string' ? <bdi className="font-firm wrap-anywhere text-ink">{title}</bdi> : title}
        <span className="block text-small wrap-anywhere text-ink-3">{about}</span>
      </span>
      {children}
    </li>
  )
}

/** Facts with their names; one without a value is left out. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className="mt-2 grid grid-cols-[140px_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 phone:grid-cols-[minmax(0,1fr)] phone:gap-y-0 [&_dd]:text-ink [&_dd]:phone:mb-1.5">
      {facts.map(
        ([name, value]) =>
          value !== undefined &&
          value !== false && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd className="min-w-0 wrap-anywhere">{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
