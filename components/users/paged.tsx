'use client'
import type { ReactNode } from 'react'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { Pager } from '#components/ui/pager.tsx'
import type { Person, PersonLists } from '#server/modules/people/schema.ts'
import { usePages } from './use-pages.ts'

interface PagedProps<Name extends keyof PersonLists> {
  person: Person
  name: Name
  /** The text for an empty list; without it, an empty list isn't shown at all. */
  empty?: string
  children: (items: PersonLists[Name]['items']) => ReactNode
}

/** One list of a person's page, with a pager. */
export function Paged<Name extends keyof PersonLists>({ person, name, empty, children }: PagedProps<Name>) {
  const { page, failure, isPaged, pager } = usePages(person, name)
  if (page.items.length === 0 && !isPaged) return empty === undefined ? null : <p className="text-ink-3">{empty}</p>
  return (
    <>
      {failure && <ErrorState list={failure} />}
      {children(page.items)}
      {isPaged && (
        <div className="flex pt-1">
          <Pager {...pager} />
        </div>
      )}
    </>
  )
}
