'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { UserRoundX } from 'lucide-react'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { toFindInput, toNewestInput, USERS_SEARCH } from '#components/kit/addresses/users-search.ts'
import { LookUpField } from '#components/kit/people/look-up-field.tsx'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Page, PageHead } from '#components/ui/page.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { pagerProps } from '#components/ui/pager-props.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { PersonState } from '#server/modules/people/schema.ts'
import { PeopleTable } from './people-table.tsx'
import { StateChip } from './state-chip.tsx'

/** The server returns at most this many matches. */
const FOUND_AT_MOST = 20

/** Searches for people while typing; without a search, shows a hint and the newest people. */
export function UsersPage() {
  const t = useTranslations('users')
  const go = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const { search, words, people, total, list, pager, setSearch } = usePeople()
  useActs({ search: () => field.current?.focus() })

  function openBest(): void {
    const [best] = people ?? []
    if (words !== '' && best && !list.isPlaceholderData) go(toUserPath(best.userId))
  }

  return (
    <Page>
      <PageHead
        title={t('title')}
        about={t('how')}
        acts={<StateChip state={search.state} onChoose={(state) => setSearch({ state, cursor: null })} />}
      />
      <LookUpField
        ref={field}
        label={t('lookUp')}
        value={search.query}
        onChange={(query) => setSearch({ query, cursor: null })}
        onEnter={openBest}
      />
      <div className="flex min-h-control shrink-0 items-center gap-2 border-b border-line px-[18px] pb-1.5 phone:px-3">
        <p aria-live="polite" className="text-ink-3">
          {words === '' && t('newest')}
          {total && ` · ${t(total.isLowerBound ? 'totalMore' : 'total', { count: total.count })}`}
          {words !== '' &&
            people &&
            !list.isPlaceholderData &&
            t(people.length === FOUND_AT_MOST ? 'foundMost' : 'found', { count: people.length })}
        </p>
        {words === '' && <Pager {...pager} />}
      </div>
      <QueryState query={list} />
      {people && people.length > 0 && <PeopleTable people={people} words={words} />}
      {people?.length === 0 && !list.isPlaceholderData && (
        <NobodyHere words={words} state={search.state} onClear={() => setSearch({ state: null, cursor: null })} />
      )}
    </Page>
  )
}

/** The matches, or the newest people. Earlier results stay until newer ones arrive. */
function usePeople() {
  const trpc = useTRPC()
  const [search, setSearch] = useQueryStates(USERS_SEARCH)
  const words = search.query.trim()
  const found = useQuery(trpc.users.find.queryOptions(toFindInput(search), { ...KEEP_PREVIOUS, enabled: words !== '' }))
  const newest = useQuery(
    trpc.users.newest.queryOptions(toNewestInput(search), { enabled: words === '', placeholderData: keepPreviousData }),
  )
  const people = words === '' ? newest.data?.items : found.data
  const pager = pagerProps(newest, (cursor) => setSearch({ cursor }, { history: 'push' }))
  const total = words === '' ? newest.data?.total : undefined
  return { search, setSearch, words, people, total, pager, list: words === '' ? newest : found }
}

interface NobodyHereProps {
  words: string
  state: PersonState | null
  onClear: () => void
}

function NobodyHere({ words, state, onClear }: NobodyHereProps) {
  const t = useTranslations('users')
  if (state)
    return (
      <EmptyState
        icon={<UserRoundX />}
        title={t('nobodyInState')}
        act={<Button onPress={onClear}>{t('allStates')}</Button>}
      >
        {t('nobodyInStateText')}
      </EmptyState>
    )
  return (
    <EmptyState icon={<UserRoundX />} title={words === '' ? t('nobodyYet') : t('nobody', { words })}>
      {words === '' ? t('nobodyYetText') : t('nobodyText')}
    </EmptyState>
  )
}
