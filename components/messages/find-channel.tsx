'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { PopoverTrigger } from '#components/ui/lazy-popover.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { SearchList } from '#components/ui/search-list.tsx'

export interface FindProps {
  trigger: PopoverTrigger
  chosen: string | undefined
  onChoose: (id: string, displayName: string) => void
}

/** Finds a channel by name or id. */
export function FindChannel({ trigger, chosen, onChoose }: FindProps) {
  const t = useTranslations('messages')
  const [typed, setTyped] = useState('')
  const search = typed.trim()
  const list = useQuery(useTRPC().channels.list.queryOptions({ ...(search && { search }), limit: 20 }, KEEP_PREVIOUS))
  const choices = (list.data?.items ?? []).map(({ channelId, displayName }) => ({
    id: channelId,
    label: displayName || channelId,
  }))
  return (
    <Popover trigger={trigger} label={t('channel')} className="w-72">
      <SearchList
        label={t('channel')}
        find={t('findChannel')}
        empty={list.data ? t('noSuchChannel') : ''}
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
