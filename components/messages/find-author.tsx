'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { KEPT } from '#components/places/places-list.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Floating } from '#components/ui/floating.tsx'
import { SearchList } from '#components/ui/search-list.tsx'
import type { FindProps } from './find-channel.tsx'

/** A person, by any id, name or handle. */
export function FindAuthor({ hanging, chosen, onChoose }: FindProps) {
  const t = useTranslations('messages')
  const [typed, setTyped] = useState('')
  const query = typed.trim()
  const list = useQuery(useTRPC().users.find.queryOptions({ query }, { ...KEPT, enabled: query !== '' }))
  const choices = (query === '' ? [] : (list.data ?? [])).map(({ userId, displayName }) => ({
    id: userId,
    label: displayName,
  }))
  return (
    <Floating hanging={hanging} label={t('author')} className="w-72">
      <SearchList
        label={t('author')}
        find={t('findAuthor')}
        empty={query === '' ? t('typeAuthor') : t('noSuchAuthor')}
        choices={choices}
        chosen={chosen}
        typed={{ value: typed, onChange: setTyped }}
        onChoose={(id) => {
          hanging.onClose()
          onChoose(id, choices.find((choice) => choice.id === id)?.label ?? id)
        }}
      />
    </Floating>
  )
}
