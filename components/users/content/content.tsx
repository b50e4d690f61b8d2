'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { isNarrowed, PERSON_SEARCH, toContentInput } from '#components/kit/addresses/person-search.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { pagerProps } from '#components/ui/pager-props.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import type { ContentRecord, Person } from '#server/modules/people/schema.ts'
import { isEmpty } from '../empty-parts.tsx'
import { Section } from '../section.tsx'
import { ContentFilters } from './content-filters.tsx'
import { ContentTable } from './content-table.tsx'
import { DecideAllHeld } from './decide-all-held.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useContentSelection } from './use-content-selection.ts'
import type { AskedDecision } from './use-decision.ts'

interface ContentProps {
  person: Person
  /** Whether a dialog has the keys. */
  isBlocked: boolean
  onDecide: (asked: AskedDecision) => void
}

/** What the person wrote and what became of it: filtered, selected, and decided on. */
export function Content({ person, isBlocked, onDecide }: ContentProps) {
  const t = useTranslations('users')
  const table = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useQueryStates(PERSON_SEARCH)
  const { zone } = useZone()
  const { userId } = person.user
  const list = useQuery({
    ...useTRPC().users.content.queryOptions(toContentInput(userId, search, zone)),
    placeholderData: keepPreviousData,
  })
  const items = list.data?.items ?? []
  const selection = useContentSelection({ items, table, isBlocked, onDecide })
  if (isEmpty(person, 'content') && !isNarrowed(search)) return null

  const narrow = (change: Partial<typeof search>) => {
    selection.clear()
    setSearch({ ...change, cursor: null })
  }
  const isNothing = list.data !== undefined && items.length === 0
  return (
    <Section title={t('content')} act={<DecideAllHeld userId={userId} onDecide={onDecide} />}>
      <ContentFilters search={search} names={namesIn(person, items)} onNarrow={narrow} />
      <QueryState query={list} />
      <div ref={table}>
        {items.length > 0 && (
          <ContentTable items={items} authorId={userId} selection={selection} isStale={list.isPlaceholderData} />
        )}
      </div>
      {isNothing && (
        <p className="flex flex-wrap items-center gap-2 py-2 text-ink-3">
          {t('decide.nothingMatches')}
          {isNarrowed(search) && (
            <Button size="small" onPress={() => narrow(NO_FILTERS)}>
              {t('decide.showAll')}
            </Button>
          )}
        </p>
      )}
      {(list.data?.next !== undefined || list.data?.previous !== undefined) && (
        <div className="flex pt-1">
          <Pager {...pagerProps(list, (cursor) => setSearch({ cursor }, { history: 'push' }))} />
        </div>
      )}
      <SelectionBar selection={selection} onDecide={selection.decide} />
    </Section>
  )
}

function namesIn(person: Person, items: ContentRecord[]): ReadonlyMap<string, string> {
  const communities = [...person.communities.items, ...items.flatMap(({ community }) => community ?? [])]
  return new Map(communities.map(({ communityId, displayName }) => [communityId, displayName]))
}

const NO_FILTERS = { state: null, kind: null, communityId: null, startDate: null, endDate: null, timeZone: null }
