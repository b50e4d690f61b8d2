'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { toMessagesPath } from '#components/kit/addresses/messages-search.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Page } from '#components/ui/page.tsx'
import type { DeskChannel } from '#server/modules/desk/spaces/schema.ts'
import { CHANNEL } from '../space-kinds.ts'
import { SpacePage } from '../space-page.tsx'
import { ChannelFacts } from './channel-facts.tsx'

/** A channel: its members first, its facts beside them. */
export function ChannelPage({ channelId }: { channelId: string }) {
  const read = useQuery(useTRPC().channels.read.queryOptions({ channelId }))
  return (
    <Page>
      <QueryState query={read} />
      {read.data && <ChannelBody desk={read.data} />}
    </Page>
  )
}

function ChannelBody({ desk }: { desk: DeskChannel }) {
  const t = useTranslations('channels')
  const format = useFormatter()
  const times = useTimes()
  const { channel, may, roles } = desk
  const { channelId } = channel
  const messages = {
    href: toMessagesPath({ channelId }),
    name: t('messages'),
    count: format.number(channel.messageCount),
    isCurrent: false,
  }
  return (
    <SpacePage
      kind={CHANNEL}
      space={channel}
      may={may}
      roles={roles}
      facts={t('facts', {
        kind: t(`kinds.${channel.type}`),
        isPublic: String(channel.isPublic),
        day: times.date(channel.createdAt),
        messages: channel.messageCount,
      })}
      tab={{ id: 'facts', name: t('factsTab'), content: <ChannelFacts desk={desk} /> }}
      tabs={(facts, members) => [facts, members, ...(may.read || may.open ? [messages] : [])]}
    />
  )
}
