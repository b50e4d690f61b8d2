'use client'
import { SearchX } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import type { SpacesSearch } from '#components/kit/addresses/spaces-search.ts'
import { TagChips } from '#components/kit/filters/tag-chips.tsx'
import { LookUpField } from '#components/kit/people/look-up-field.tsx'
import { QueryState, type ReadQuery } from '#components/kit/states/query-state.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Page, PageHead } from '#components/ui/page.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { pagerProps } from '#components/ui/pager-props.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import { MineChip } from './mine-chip.tsx'
import { type Named, type SpaceKind, spaceNameOf } from './space-kinds.ts'

const TAG_LENGTH = 100

/** A page of spaces from React Query. */
interface ReadSpaces<Space> extends ReadQuery {
  data: { items: Space[]; next?: string; previous?: string } | undefined
  isPlaceholderData: boolean
}

interface SpacesPageProps<Space extends Named> {
  kind: SpaceKind<Space>
  search: SpacesSearch
  /** Null clears all filters. */
  onSearch: (change: Partial<SpacesSearch> | null, options?: { history: 'push' }) => unknown
  list: ReadSpaces<Space>
  /** The columns after the name. */
  columns: TableColumn<Space>[]
  /** Filters besides the search, tags and membership. */
  filters?: ReactNode
  isNarrowed?: boolean
}

/** Channels or communities: found by name or id while typing, narrowed by filters, each row linking to its page. */
export function SpacesPage<Space extends Named>(props: SpacesPageProps<Space>) {
  const { kind, search, onSearch, list } = props
  const t = useTranslations('spaces')
  const own = useTranslations(kind.texts)
  const go = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  useActs({ search: () => field.current?.focus() })

  const { items } = list.data ?? {}
  const isNarrowed =
    props.isNarrowed === true || search.query !== '' || search.tags.length > 0 || search.isMine !== null
  const hrefOf = (space: Space) => kind.toPath(kind.idOf(space))
  const name: TableColumn<Space> = {
    id: 'name',
    header: own('name'),
    isRowHeader: true,
    cell: (space) => <bdi className="wrap-anywhere">{spaceNameOf(kind, space)}</bdi>,
  }

  function openBest(): void {
    const [best] = items ?? []
    if (search.query.trim() !== '' && best && !list.isPlaceholderData) go(hrefOf(best))
  }
  return (
    <Page>
      <PageHead title={own('title')} about={own('about')} />
      <LookUpField
        ref={field}
        label={own('lookUp')}
        value={search.query}
        onChange={(query) => onSearch({ query, cursor: null })}
        onEnter={openBest}
      />
      <div className="flex min-h-control shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-[18px] pb-1.5 phone:px-3">
        {props.filters}
        <MineChip
          isMine={search.isMine === true}
          onChange={(isMine) => onSearch({ isMine: isMine || null, cursor: null })}
        />
        <TagChips
          label={own('tag')}
          tags={search.tags}
          maxLength={TAG_LENGTH}
          onChange={(tags) => onSearch({ tags, cursor: null })}
        />
        <Pager {...pagerProps(list, (cursor) => onSearch({ cursor }, { history: 'push' }))} />
      </div>
      <QueryState query={list} />
      {items && items.length > 0 && (
        <div className="[--edge:18px]">
          <DataTable
            label={own('title')}
            columns={[name, ...props.columns]}
            items={items}
            idOf={kind.idOf}
            hrefOf={hrefOf}
          />
        </div>
      )}
      {items?.length === 0 && !list.isPlaceholderData && (
        <EmptyState
          icon={<SearchX />}
          title={isNarrowed ? t('noneFit') : t('none')}
          {...(isNarrowed && {
            act: (
              <button type="button" onClick={() => onSearch(null)} className="text-accent underline">
                {t('clear')}
              </button>
            ),
          })}
        >
          {isNarrowed ? t('noneFitText') : t('noneText')}
        </EmptyState>
      )}
    </Page>
  )
}
