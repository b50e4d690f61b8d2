'use client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { ExportButton, useDownload } from '#components/kit/acts/export-button.tsx'
import {
  AUDIT_SEARCH,
  type AuditSearch,
  hasFilters,
  toAuditFilter,
  toAuditInput,
} from '#components/kit/addresses/audit-search.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Page, PageHead } from '#components/ui/page.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { pagerProps } from '#components/ui/pager-props.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { AuditSentence } from './audit-sentence.tsx'
import { AuditTable } from './audit-table.tsx'
import { ChainLine } from './chain-line.tsx'

const EntrySheet = lazyPart(() => import('./entry-sheet.tsx').then(({ EntrySheet }) => EntrySheet), {
  onFailed: ({ onClose }) => onClose(),
})

const NO_FILTERS = {
  actorId: null,
  action: null,
  subjectId: null,
  communityId: null,
  startDate: null,
  endDate: null,
  cursor: null,
} satisfies Partial<AuditSearch>

/** The audit log: every act, from every source. */
export function AuditPage() {
  const t = useTranslations('audit')
  const [search, setSearch] = useQueryStates(AUDIT_SEARCH)
  const { zone } = useZone()
  const list = useQuery(
    useTRPC().audit.list.queryOptions(toAuditInput(search, zone), { placeholderData: keepPreviousData }),
  )
  const { items, narrowedTo = {} } = list.data ?? {}
  const open = (entry: string | null) => setSearch({ entry })

  return (
    <Page>
      <PageHead title={t('title')} about={t('how')} acts={<AuditExport search={search} zone={zone} />} />
      <div className="grid gap-2 border-b border-line-strong px-[18px] pb-2.5 phone:px-3">
        <AuditSentence
          search={search}
          names={narrowedTo}
          onNarrow={(changed) => setSearch({ cursor: null, ...changed })}
        />
        <div className="flex flex-wrap items-center gap-2">
          <ChainLine />
          <Pager {...pagerProps(list, (cursor) => setSearch({ cursor }, { history: 'push' }))} />
        </div>
      </div>
      <QueryState query={list} />
      {items && items.length > 0 && <AuditTable entries={items} onOpen={open} />}
      {items?.length === 0 && (
        <EmptyState
          icon={<ScrollText />}
          title={hasFilters(search) ? t('nothing') : t('nothingYet')}
          act={hasFilters(search) && <Button onPress={() => setSearch(NO_FILTERS)}>{t('showAll')}</Button>}
        >
          {hasFilters(search) ? t('nothingText') : t('nothingYetText')}
        </EmptyState>
      )}
      {search.entry !== null && <EntrySheet auditId={search.entry} onOpen={open} onClose={() => open(null)} />}
    </Page>
  )
}

/** Exports the filtered entries as a file; the export itself is logged. */
function AuditExport({ search, zone }: { search: AuditSearch; zone: string }) {
  const t = useTranslations('audit')
  const exporting = useMutation(useTRPC().audit.export.mutationOptions(useDownload(t('exported'))))
  return (
    <ExportButton exporting={exporting} onPress={() => exporting.mutate(toAuditFilter(search, zone))}>
      {t('export')}
    </ExportButton>
  )
}
