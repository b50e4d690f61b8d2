'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { CHANNEL_KINDS, CHANNELS_SEARCH, toChannelsInput } from '#components/kit/addresses/channels-search.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import type { TableColumn } from '#components/ui/data-table.tsx'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import type { Channel } from '#server/modules/spaces/channels/schema.ts'
import { CHANNEL } from '../space-kinds.ts'
import { SpacesPage } from '../spaces-page.tsx'

const ANY = ''

/** Channels, found by name or id while typing. */
export function ChannelsPage() {
  const t = useTranslations('channels')
  const [search, setSearch] = useQueryStates(CHANNELS_SEARCH)
  const list = useQuery(useTRPC().channels.list.queryOptions(toChannelsInput(search), KEEP_PREVIOUS))
  const columns = useColumns()
  const { kind } = search

  return (
    <SpacesPage
      kind={CHANNEL}
      search={search}
      onSearch={setSearch}
      list={list}
      columns={columns}
      isNarrowed={kind !== null}
      filters={
        <Chip onRemove={kind ? () => setSearch({ kind: null, cursor: null }) : undefined} removeLabel={t('anyKind')}>
          <ChoiceMenu
            label={t('kind')}
            choices={[
              { id: ANY, label: t('anyKind') },
              ...CHANNEL_KINDS.map((id) => ({ id, label: t(`kinds.${id}`) })),
            ]}
            chosen={kind ?? ANY}
            onChoose={(id) => setSearch({ kind: id === ANY ? null : id, cursor: null })}
          >
            <ChipButton>{kind ? t(`kinds.${kind}`) : t('anyKind')}</ChipButton>
          </ChoiceMenu>
        </Chip>
      }
    />
  )
}

function useColumns(): TableColumn<Channel>[] {
  const t = useTranslations('channels')
  const format = useFormatter()
  const times = useTimes()
  return [
    {
      id: 'kind',
      header: t('kind'),
      isBelowOnPhone: true,
      cell: ({ type, isPublic, tags }) => (
        <span className="flex flex-wrap items-center gap-1">
          {t('kindAnd', { kind: t(`kinds.${type}`), isPublic: String(isPublic) })}
          {tags.slice(0, 5).map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'members',
      header: t('members'),
      align: 'end',
      cell: ({ memberCount }) => (
        <>
          {format.number(memberCount)}
          <span className="hidden phone:inline"> {t('membersShort', { count: memberCount })}</span>
        </>
      ),
    },
    {
      id: 'messages',
      header: t('messages'),
      align: 'end',
      hiddenOn: 'phone',
      cell: ({ messageCount }) => format.number(messageCount),
    },
    {
      id: 'active',
      header: t('lastActivity'),
      align: 'end',
      hiddenOn: 'narrow',
      cell: ({ lastActivity }) => <span title={times.exact(lastActivity)}>{times.brief(lastActivity)}</span>,
    },
  ]
}
