'use client'
import { Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { QueryState, type ReadQuery } from '#components/kit/states/query-state.tsx'
import { Button } from '#components/ui/button.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'

interface CommunityTableProps<Item> {
  label: string
  query: ReadQuery & { data: Item[] | undefined }
  /** Between the community and the button that removes the row. */
  columns: TableColumn<Item>[]
  emptyText: string
  removeLabelOf: (space: string) => string
  onRemove: (communityId: string) => void
}

/** What is set for communities, a row each. */
export function CommunityTable<Item extends { communityId: string; displayName: string }>({
  label,
  query,
  columns,
  emptyText,
  removeLabelOf,
  onRemove,
}: CommunityTableProps<Item>) {
  const t = useTranslations('targets')
  const community: TableColumn<Item> = {
    id: 'community',
    header: t('community'),
    isRowHeader: true,
    cell: ({ displayName }) => <bdi className="wrap-anywhere">{displayName}</bdi>,
  }
  const remove: TableColumn<Item> = {
    id: 'remove',
    header: t('remove'),
    align: 'end',
    cell: ({ communityId, displayName }) => (
      <Button look="icon" aria-label={removeLabelOf(displayName)} onPress={() => onRemove(communityId)}>
        <Trash2 />
      </Button>
    ),
  }
  return (
    <>
      <QueryState query={query} />
      {query.data?.length === 0 && <p className="pt-2 text-ink-3">{emptyText}</p>}
      {query.data && query.data.length > 0 && (
        <div className="[--edge:0px]">
          <DataTable
            label={label}
            columns={[community, ...columns, remove]}
            items={query.data}
            idOf={({ communityId }) => communityId}
          />
        </div>
      )}
    </>
  )
}
