'use client'
import { SearchX } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Page, PageHead } from '#components/ui/page.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { pagerProps } from '#components/ui/pager-props.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { SpacesSearch } from '../addresses/spaces-search.ts'
import { LookUpField } from '../people/look-up-field.tsx'
import { ErrorState } from '../states/error-state.tsx'
import { LoadingRows } from '../states/loading-rows.tsx'
import { MineChip } from './mine-chip.tsx'
import { TagChips } from './tag-chips.tsx'

const TAG_LENGTH = 100

/** A page of spaces from React Query. */
interface SpacesRead<Space> {
  data: { items: Space[]; next?: string; previous?: string } | undefined
  error: unknown
  dataUpdatedAt: number
  isError: boolean
  isPending: boolean
  isPlaceholderData: boolean
  refetch: () => Promise<unknown>
}

interface SpacesListProps<Space extends object> {
  title: string
  about: string
  /** The label of the search field. */
  lookUp: string
  search: SpacesSearch
  /** Null clears all filters. */
  onSearch: (change: Partial<SpacesSearch> | null, options?: { history: 'push' }) => void
  list: SpacesRead<Space>
  columns: TableColumn<Space>[]
  idOf: (space: Space) => string
  hrefOf: (space: Space) => string
  /** Filters besides the search, tags and membership. */
  filters?: ReactNode
  isNarrowed?: boolean
  /** The label of a tag. */
  tag: string
}

/** Channels or communities: found while typing, narrowed by filters, each row linking to its page. */
export function SpacesList<Space extends object>(props: SpacesListProps<Space>) {
  const { search, onSearch, list, hrefOf } = props
  const t = useTranslations('spaces')
  const go = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  useActs({ search: () => field.current?.focus() })

  const { items } = list.data ?? {}
  const isNarrowed =
    props.isNarrowed === true || search.query !== '' || search.tags.length > 0 || search.isMine !== null

  function openBest(): void {
    const [best] = items ?? []
    if (search.query.trim() !== '' && best && !list.isPlaceholderData) go(hrefOf(best))
  }
  return (
    <Page>
      <PageHead title={props.title} about={props.about} />
      <LookUpField
        ref={field}
        label={props.lookUp}
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
          label={props.tag}
          tags={search.tags}
          maxLength={TAG_LENGTH}
          onChange={(tags) => onSearch({ tags, cursor: null })}
        />
        <Pager {...pagerProps(list, (cursor) => onSearch({ cursor }, { history: 'push' }))} />
      </div>
      {list.isError && <ErrorState list={list} />}
      {list.isPending && <LoadingRows />}
      {items && items.length > 0 && (
        <div className="[--edge:18px]">
          <DataTable label={props.title} columns={props.columns} items={items} idOf={props.idOf} hrefOf={hrefOf} />
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
