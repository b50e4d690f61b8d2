'use client'
import { useTranslations } from 'use-intl'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Badge } from '#components/ui/badge.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import type { DeskMember, SpaceRole } from '#server/modules/desk/spaces/schema.ts'
import { MemberStatus } from './member-status.tsx'
import type { MembersSearch } from './members-search.ts'
import type { Members } from './use-members.ts'

interface MembersTableProps {
  label: string
  members: DeskMember[]
  roles: SpaceRole[]
  found: Pick<Members, 'search' | 'list' | 'narrow' | 'choose'>
  /** Whether any act applies to a selection. */
  isChosenFrom: boolean
  /** Whether the viewer may open the pages of people. */
  opensPeople: boolean
}

const SORTED: Record<MembersSearch['sort'], { column: string; direction: 'ascending' | 'descending' }> = {
  lastCreated: { column: 'joined', direction: 'descending' },
  firstCreated: { column: 'joined', direction: 'ascending' },
  displayName: { column: 'name', direction: 'ascending' },
}

/** Members, each row linking to their page; acts apply to the selected ones. */
export function MembersTable({ label, members, roles, found, isChosenFrom, opensPeople }: MembersTableProps) {
  const { search, list, narrow, choose } = found
  const columns = useColumns(roles)
  const ids = members.map(({ userId }) => userId)
  return (
    <div className="[--edge:18px]">
      <DataTable
        label={label}
        columns={columns}
        items={members}
        idOf={({ userId }) => userId}
        {...(opensPeople && { hrefOf: ({ userId }: DeskMember) => toUserPath(userId) })}
        {...(isChosenFrom && {
          selection: {
            isDisabled: list.isPlaceholderData,
            selected: new Set(search.chosen.filter((userId) => ids.includes(userId))),
            onChange: choose,
          },
        })}
        sort={{
          by: SORTED[search.sort],
          onChange: (column) => narrow({ sort: nextSort(column, search.sort) }),
        }}
      />
    </div>
  )
}

/** Sorting by name has only one direction. */
function nextSort(column: string, now: MembersSearch['sort']): MembersSearch['sort'] {
  if (column === 'name') return 'displayName'
  return now === 'lastCreated' ? 'firstCreated' : 'lastCreated'
}

function useColumns(roles: SpaceRole[]): TableColumn<DeskMember>[] {
  const t = useTranslations('members')
  const times = useTimes()
  const nameOf = (roleId: string) => roles.find((role) => role.roleId === roleId)?.displayName ?? roleId
  return [
    {
      id: 'name',
      header: t('name'),
      isRowHeader: true,
      isSortable: true,
      cell: ({ displayName }) => <bdi className="wrap-anywhere">{displayName}</bdi>,
    },
    {
      id: 'roles',
      header: t('roles'),
      hiddenOn: 'phone',
      isEmptyFor: (member) => member.roles.length === 0,
      cell: (member) =>
        member.roles.length === 0 ? (
          <span className="text-ink-3">{t('noRoles')}</span>
        ) : (
          <span className="flex flex-wrap gap-1">
            {member.roles.map((roleId) => (
              <Badge key={roleId}>{nameOf(roleId)}</Badge>
            ))}
          </span>
        ),
    },
    {
      id: 'membership',
      header: t('membership'),
      isBelowOnPhone: true,
      cell: (member) => <MemberStatus member={member} />,
    },
    {
      id: 'joined',
      header: t('joined'),
      align: 'end',
      isSortable: true,
      cell: ({ joinedAt }) => (
        <span className="whitespace-nowrap text-ink-3" title={times.exact(joinedAt)}>
          {times.date(joinedAt)}
        </span>
      ),
    },
    {
      id: 'active',
      header: t('lastActivity'),
      isEmptyFor: ({ lastActivity }) => lastActivity === undefined,
      align: 'end',
      hiddenOn: 'narrow',
      cell: ({ lastActivity }) =>
        lastActivity && <span className="whitespace-nowrap">{times.exact(lastActivity)}</span>,
    },
  ]
}
