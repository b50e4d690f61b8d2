'use client'
import { useTranslations } from 'use-intl'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Avatar } from '#components/ui/avatar.tsx'
import { CopyId } from '#components/ui/copy-id.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { Highlight } from '#components/ui/highlight.tsx'
import type { ListedPerson } from '#server/modules/people/schema.ts'
import { PersonStates } from './person-states.tsx'

/** People, each row linking to their page. */
export function PeopleTable({ people, words }: { people: ListedPerson[]; words: string }) {
  const t = useTranslations('users')
  const times = useTimes()
  const columns: TableColumn<ListedPerson>[] = [
    {
      id: 'name',
      header: t('name'),
      isRowHeader: true,
      cell: ({ displayName }) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={displayName} />
          <bdi className="min-w-0 wrap-anywhere">
            <Highlight words={words}>{displayName}</Highlight>
          </bdi>
        </span>
      ),
    },
    {
      id: 'handle',
      header: t('handle'),
      hiddenOn: 'phone',
      isEmptyFor: ({ profileHandle }) => !profileHandle,
      cell: ({ profileHandle }) =>
        profileHandle && (
          <bdi className="wrap-anywhere">
            <Highlight words={words}>{profileHandle}</Highlight>
          </bdi>
        ),
    },
    { id: 'id', header: t('ids.userId'), hiddenOn: 'phone', cell: ({ userId }) => <CopyId id={userId} /> },
    {
      id: 'state',
      header: t('standing'),
      isEmptyFor: ({ isGlobalBan, isDeleted }) => !isGlobalBan && !isDeleted,
      cell: (person) => <PersonStates person={person} />,
    },
    {
      id: 'since',
      header: t('since'),
      align: 'end',
      hiddenOn: 'narrow',
      cell: ({ createdAt }) => <span title={times.exact(createdAt)}>{times.date(createdAt)}</span>,
    },
  ]
  return (
    <div className="[--edge:18px]">
      <DataTable
        label={t('people')}
        columns={columns}
        items={people}
        idOf={({ userId }) => userId}
        hrefOf={({ userId }) => toUserPath(userId)}
      />
    </div>
  )
}
