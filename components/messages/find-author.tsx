'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { FindPopover, type FindProps } from './find-popover.tsx'

/** Finds a person by any id, name or handle. */
export function FindAuthor(props: FindProps) {
  const t = useTranslations('messages')
  const [typed, setTyped] = useState('')
  const query = typed.trim()
  const list = useQuery(useTRPC().users.find.queryOptions({ query }, { ...KEEP_PREVIOUS, enabled: query !== '' }))
  const people = query === '' ? [] : (list.data ?? [])
  return (
    <FindPopover
      {...props}
      label={t('author')}
      find={t('findAuthor')}
      empty={query === '' ? t('typeAuthor') : t('noSuchAuthor')}
      choices={people.map(({ userId, displayName }) => ({ id: userId, label: displayName }))}
      typed={{ value: typed, onChange: setTyped }}
    />
  )
}
