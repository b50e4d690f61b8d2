'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Popover } from '#components/ui/popover.tsx'
import { SearchList } from '#components/ui/search-list.tsx'
import type { FindProps } from './find-channel.tsx'

/** Finds a person by any id, name or handle. */
export function FindAuthor({ trigger, chosen, onChoose }: FindProps) {
  const t = useTranslations('messages')
  const [typed, setTyped] = useState('')
  const query = typed.trim()
  const list = useQuery(useTRPC().users.find.queryOptions({ query }, { ...KEEP_PREVIOUS, enabled: query !== '' }))
  const choices = (query === '' ? [] : (list.data ?? [])).map(({ userId, displayName }) => ({
    id: userId,
    label: displayName,
  }))
  return (
    <Popover trigger={trigger} label={t('author')} className="w-72">
      <SearchList
        label={t('author')}
        find={t('findAuthor')}
        empty={query === '' ? t('typeAuthor') : t('noSuchAuthor')}
        choices={choices}
        chosen={chosen}
        typed={{ value: typed, onChange: setTyped }}
        onChoose={(id) => {
          trigger.onClose()
          onChoose(id, choices.find((choice) => choice.id === id)?.label ?? id)
        }}
      />
    </Popover>
  )
}
