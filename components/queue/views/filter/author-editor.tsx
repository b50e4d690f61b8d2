'use client'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { SearchList } from '#components/ui/search-list.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { EditorProps } from './filter-editing.ts'

/** Finds an author with pending items by part of their name or id. */
export function AuthorEditor({ onChoose }: EditorProps) {
  const t = useTranslations('filters')
  const { search } = useQueueFilter()
  const [typed, setTyped] = useState('')
  const name = useDeferredValue(typed.trim())
  const authors = useQuery(
    useTRPC().review.authors.queryOptions(name ? { name } : skipToken, { placeholderData: keepPreviousData }),
  )
  const choices = (name ? (authors.data ?? []) : []).map(({ userId, displayName }) => ({
    id: userId,
    label: displayName,
    hint: userId === displayName ? undefined : userId,
  }))
  const isAnswered = name !== '' && !authors.isFetching
  return (
    <SearchList
      label={t('titles.author')}
      find={t('findAuthor')}
      empty={isAnswered ? t(authors.isError ? 'authorsUnread' : 'noSuchAuthor') : t('authorHint')}
      choices={choices}
      chosen={search.authorId ?? undefined}
      onChoose={(authorId) => onChoose({ authorId })}
      typed={{ value: typed, onChange: setTyped }}
    />
  )
}
