'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { KEPT } from '#components/places/places-list.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Floating } from '#components/ui/floating.tsx'
import type { Hanging } from '#components/ui/on-demand.tsx'
import { SearchList } from '#components/ui/search-list.tsx'

export interface FindProps {
  hanging: Hanging
  chosen: string | undefined
  onChoose: (id: string, displayName: string) => void
}

/** A channel, by name or id. */
export function FindChannel({ hanging, chosen, onChoose }: FindProps) {
  const t = useTranslations('messages')
  const [typed, setTyped] = useState('')
  const search = typed.trim()
  const list = useQuery(useTRPC().channels.list.queryOptions({ ...(search && { search }), limit: 20 }, KEPT))
  const choices = (list.data?.items ?? []).map(({ channelId, displayName }) => ({
    id: channelId,
    label: displayName || channelId,
  }))
  return (
    <Floating hanging={hanging} label={t('channel')} className="w-72">
      <SearchList
        label={t('channel')}
        find={t('findChannel')}
        empty={list.data ? t('noSuchChannel') : ''}
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
