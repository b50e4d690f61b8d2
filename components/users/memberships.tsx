'use client'
import { Ban, MicOff } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Badge } from '#components/ui/badge.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import type { ChannelSpace, CommunitySpace, Person } from '#server/modules/people/schema.ts'
import { Paged } from './paged.tsx'
import { Section } from './section.tsx'

/** Where the person is a member or banned, and their roles. */
export function Memberships({ person }: { person: Person }) {
  const t = useTranslations('users')
  const communityColumns = useSpaceColumns<CommunitySpace>(t('community'))
  const channelColumns = useSpaceColumns<ChannelSpace>(t('channel'))
  const { communities, channels } = person
  return (
    <Section title={t('spaces')}>
      {communities.items.length > 0 && (
        <Paged person={person} name="communities">
          {(items) => (
            <DataTable
              label={t('communities')}
              columns={communityColumns}
              items={items}
              idOf={({ communityId }) => communityId}
            />
          )}
        </Paged>
      )}
      {channels.items.length > 0 && (
        <Paged person={person} name="channels">
          {(items) => (
            <DataTable
              label={t('channels')}
              columns={channelColumns}
              items={items}
              idOf={({ channelId }) => channelId}
            />
          )}
        </Paged>
      )}
    </Section>
  )
}

interface Space {
  displayName: string
  roles: string[]
  membership: 'member' | 'banned'
  mutedUntil?: string
  since: string
}

function useSpaceColumns<Item extends Space>(header: string): TableColumn<Item>[] {
  const t = useTranslations('users')
  const times = useTimes()
  return [
    { id: 'name', header, isRowHeader: true, cell: ({ displayName }) => <bdi>{displayName}</bdi> },
    {
      id: 'roles',
      header: t('roles'),
      isEmptyFor: ({ roles }) => roles.length === 0,
      cell: ({ roles }) =>
        roles.length === 0 ? (
          <span className="text-ink-3">{t('noRoles')}</span>
        ) : (
          <span className="flex flex-wrap gap-1">
            {roles.map((role) => (
              <Badge key={role}>{role}</Badge>
            ))}
          </span>
        ),
    },
    { id: 'standing', header: t('standing'), cell: (space) => <Membership space={space} /> },
    {
      id: 'since',
      header: t('since'),
      align: 'end',
      hiddenOn: 'phone',
      cell: ({ since }) => <span className="whitespace-nowrap text-ink-3">{times.date(since)}</span>,
    },
  ]
}

function Membership({ space: { membership, mutedUntil } }: { space: Space }) {
  const t = useTranslations('users')
  const times = useTimes()
  if (membership === 'banned') {
    return (
      <Badge look="reject">
        <Ban />
        {t('banned')}
      </Badge>
    )
  }
  if (mutedUntil === undefined) return t('member')
  return (
    <span title={t('until', { time: times.exact(mutedUntil) })}>
      <Badge look="warn">
        <MicOff />
        {t('muted')}
      </Badge>
    </span>
  )
}
