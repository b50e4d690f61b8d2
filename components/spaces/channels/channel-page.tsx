'use client'
import { useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { toMessagesPath } from '#components/kit/addresses/messages-search.ts'
import { SpaceTabs } from '#components/kit/spaces/space-tabs.tsx'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { LoadingRows } from '#components/kit/states/loading-rows.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { CopyId } from '#components/ui/copy-id.tsx'
import { Page, PageHead } from '#components/ui/page.tsx'
import type { DeskChannel } from '#server/modules/desk/spaces/schema.ts'
import { MembersPanel } from '../members/members-panel.tsx'
import { ChannelFacts } from './channel-facts.tsx'

/** A channel: its members first, its facts beside them. */
export function ChannelPage({ channelId }: { channelId: string }) {
  const read = useQuery(useTRPC().channels.read.queryOptions({ channelId }))
  return (
    <Page>
      {read.isError && <ErrorState list={read} />}
      {read.isPending && <LoadingRows />}
      {read.data && <ChannelBody desk={read.data} />}
    </Page>
  )
}

function ChannelBody({ desk }: { desk: DeskChannel }) {
  const t = useTranslations('channels')
  const format = useFormatter()
  const times = useTimes()
  const [tab] = useQueryState('tab', parseAsStringLiteral(['facts'] as const))
  const { channel, may, roles } = desk
  const { channelId } = channel
  const head = (acts: ReactNode) => (
    <>
      <PageHead
        title={channel.displayName || channelId}
        about={
          <>
            {t('facts', {
              kind: t(`kinds.${channel.type}`),
              isPublic: String(channel.isPublic),
              day: times.date(channel.createdAt),
              messages: channel.messageCount,
            })}{' '}
            <CopyId id={channelId} />
          </>
        }
        acts={acts}
      />
      <SpaceTabs
        label={t('parts')}
        tabs={[
          { href: '?tab=facts', name: t('factsTab'), isCurrent: tab === 'facts' },
          { href: '?', name: t('members'), count: format.number(channel.memberCount), isCurrent: tab === null },
          ...(may.read || may.open
            ? [
                {
                  href: toMessagesPath({ channelId }),
                  name: t('messages'),
                  count: format.number(channel.messageCount),
                  isCurrent: false,
                },
              ]
            : []),
        ]}
      />
    </>
  )
  if (tab === 'facts') {
    return (
      <>
        {head(null)}
        <ChannelFacts desk={desk} />
      </>
    )
  }
  return <MembersPanel space={{ scope: 'channel', channelId }} may={may} roles={roles} head={head} />
}
