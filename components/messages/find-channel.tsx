'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { FindPopover, type FindProps } from './find-popover.tsx'

/** Finds a channel by name or id. */
export function FindChannel(props: FindProps) {
  const t = useTranslations('messages')
  const [typed, setTyped] = useState('')
  const search = typed.trim()
  const list = useQuery(useTRPC().channels.list.queryOptions({ ...(search && { search }), limit: 20 }, KEEP_PREVIOUS))
  const channels = list.data?.items ?? []
  return (
    <FindPopover
      {...props}
      label={t('channel')}
      find={t('findChannel')}
      empty={list.data ? t('noSuchChannel') : ''}
      choices={channels.map(({ channelId, displayName }) => ({ id: channelId, label: displayName || channelId }))}
      typed={{ value: typed, onChange: setTyped }}
    />
  )
}
