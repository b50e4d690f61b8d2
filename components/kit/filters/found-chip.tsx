'use client'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { LazySearchList } from '#components/ui/lazy-search-list.tsx'
import type { FoundThings } from '#server/modules/desk/palette/schema.ts'
import { FilterChip } from './filter-chip.tsx'

interface FoundChipProps {
  /** `space` is a community the person has to select, rather than an optional filter. */
  what: 'person' | 'community' | 'space'
  chosen: string | null
  /** The name of the selected person or community. */
  name: string | undefined
  onChoose: (id: string | null, name?: string) => void
}

/** A person or a community, found by part of the name or id; "anybody" if none is selected. */
export function FoundChip({ what, chosen, name, onChoose }: FoundChipProps) {
  const t = useTranslations('filtering')
  return (
    <FilterChip
      label={t(`${what}.label`)}
      value={chosen === null ? t(`${what}.any`) : (name ?? chosen)}
      onRemove={chosen === null ? undefined : () => onChoose(null)}
      removeLabel={t(`${what}.drop`)}
    >
      {(close) => (
        <Finder
          what={what}
          chosen={chosen}
          onChoose={(id, name) => {
            close()
            onChoose(id, name)
          }}
        />
      )}
    </FilterChip>
  )
}

function Finder({ what, chosen, onChoose }: Omit<FoundChipProps, 'name'>) {
  const t = useTranslations('filtering')
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed.trim())
  const found = useQuery(
    useTRPC().palette.find.queryOptions(query ? { query } : skipToken, { placeholderData: keepPreviousData }),
  )
  const choices = query && found.data ? choicesOf(found.data)[what] : []
  const isAnswered = query !== '' && !found.isFetching
  return (
    <LazySearchList
      label={t(`${what}.label`)}
      find={t(`${what}.find`)}
      empty={isAnswered ? t(found.isError ? 'unread' : 'nothingFound') : t('typeToFind')}
      choices={choices.map(({ id, label }) => ({ id, label, hint: id === label ? undefined : id }))}
      chosen={chosen ?? undefined}
      onChoose={(id) => onChoose(id, choices.find((choice) => choice.id === id)?.label)}
      typed={{ value: typed, onChange: setTyped }}
    />
  )
}

function choicesOf({ users, communities }: FoundThings) {
  const spaces = communities.map(({ communityId, displayName }) => ({ id: communityId, label: displayName }))
  return {
    person: users.map(({ userId, displayName }) => ({ id: userId, label: displayName })),
    community: spaces,
    space: spaces,
  }
}
