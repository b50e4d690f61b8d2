'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw, Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { pagerProps } from '#components/ui/pager-props.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { BackLink } from '../back-link.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { DELIVERIES_SEARCH, type DeliveriesSearch, hasFilters, toDeliveriesInput } from './deliveries-search.ts'
import { DeliveriesTable } from './deliveries-table.tsx'
import { DeliveryFilters } from './delivery-filters.tsx'

const ReplayDialog = lazyPart(() => import('./replay-dialog.tsx').then(({ ReplayDialog }) => ReplayDialog), {
  onFailed: ({ onClose }) => onClose(),
})

const EVERYTHING = {
  endpointId: null,
  state: null,
  event: null,
  subjectId: null,
  from: null,
  before: null,
  cursor: null,
} as const satisfies DeliveriesSearch

/** The deliveries and their states; failed ones, or a time range, can be sent again. */
export function DeliveriesPage({ eventNames }: { eventNames: readonly string[] }) {
  const t = useTranslations('webhooks')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const [search, setSearch] = useQueryStates(DELIVERIES_SEARCH, { history: 'push' })
  const [isReplaying, setReplaying] = useState(false)
  const endpoints = useQuery(trpc.webhooks.endpoints.queryOptions())
  const list = useQuery(
    trpc.webhooks.deliveries.queryOptions(toDeliveriesInput(search), { placeholderData: keepPreviousData }),
  )
  const narrow = (changed: Partial<DeliveriesSearch>) => setSearch({ ...changed, cursor: null })
  const { deliveries } = list.data ?? {}

  function onReplayed(words: string): void {
    setReplaying(false)
    announce(words)
    void queryClient.invalidateQueries(trpc.webhooks.pathFilter())
  }

  return (
    <SettingsPage
      title={t('deliveries')}
      lead={
        <>
          <BackLink href="/settings/webhooks">{t('title')}</BackLink>
          {t('deliveriesLead')}
        </>
      }
      acts={
        endpoints.data &&
        endpoints.data.length > 0 && (
          <Button onPress={() => setReplaying(true)}>
            <Send />
            {t('sendAgain')}
          </Button>
        )
      }
    >
      <DeliveryFilters
        search={search}
        endpoints={endpoints.data ?? []}
        eventNames={eventNames}
        onNarrow={narrow}
        onClear={hasFilters(search) ? () => narrow(EVERYTHING) : undefined}
      />
      <div className="mt-1 flex min-h-control items-center gap-2 border-b border-line">
        <Button look="bare" isPending={list.isFetching} onPress={() => void list.refetch()}>
          <RefreshCw />
          {t('readAgain')}
        </Button>
        <Pager {...pagerProps(list, (cursor) => setSearch({ cursor }))} />
      </div>
      <QueryState query={list} />
      {deliveries && deliveries.length > 0 && <DeliveriesTable deliveries={deliveries} />}
      {deliveries?.length === 0 && !list.isPlaceholderData && (
        <EmptyState isInSection icon={<Send />} title={t(hasFilters(search) ? 'noneFound' : 'nothingSent')}>
          {t(hasFilters(search) ? 'noneFoundText' : 'nothingSentText')}
        </EmptyState>
      )}
      {isReplaying && (
        <ReplayDialog
          endpoints={endpoints.data ?? []}
          search={search}
          onClose={() => setReplaying(false)}
          onDone={onReplayed}
        />
      )}
    </SettingsPage>
  )
}
