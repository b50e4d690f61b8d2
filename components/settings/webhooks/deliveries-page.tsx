'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, RefreshCw, Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { pagerProps } from '#components/ui/pager-props.ts'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import type { Delivery, Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import { BackLink, SettingsPage } from '../settings-page.tsx'
import {
  DELIVERIES_SEARCH,
  DELIVERY_STATES,
  type DeliveriesSearch,
  hasFilters,
  toDeliveriesInput,
  toDeliveryPath,
} from './deliveries-search.ts'
import { DeliveryState, useOutcome } from './delivery-words.tsx'

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

/** Deliveries, each row linking to its details. */
function DeliveriesTable({ deliveries }: { deliveries: Delivery[] }) {
  const t = useTranslations('webhooks')
  const times = useTimes()
  const outcomeOf = useOutcome()
  const columns: TableColumn<Delivery>[] = [
    {
      id: 'event',
      header: t('event'),
      isRowHeader: true,
      cell: ({ event, subjectId }) => (
        <span className="block min-w-0">
          <code className="block font-code text-small wrap-anywhere text-ink">{event}</code>
          <code className="block font-code text-small font-normal wrap-anywhere text-ink-3">{subjectId}</code>
        </span>
      ),
    },
    {
      id: 'state',
      header: t('state'),
      cell: (delivery) => (
        <span className="block">
          <DeliveryState delivery={delivery} />
          {delivery.lastTry?.problem && (
            <span className="block text-small text-ink-3">{outcomeOf(delivery.lastTry)}</span>
          )}
        </span>
      ),
    },
    {
      id: 'endpoint',
      header: t('endpoint'),
      hiddenOn: 'phone',
      cell: ({ url }) => <code className="font-code text-small wrap-anywhere">{shortOf(url)}</code>,
    },
    { id: 'tries', header: t('tries'), align: 'end', hiddenOn: 'phone', cell: ({ tries }) => tries },
    {
      id: 'at',
      header: t('when'),
      align: 'end',
      cell: ({ createdAt }) => (
        <span title={times.exact(createdAt)} className="whitespace-nowrap">
          {times.brief(createdAt)}
        </span>
      ),
    },
  ]
  return (
    <div className="[--edge:0px]">
      <DataTable
        label={t('deliveries')}
        columns={columns}
        items={deliveries}
        idOf={({ deliveryId }) => deliveryId}
        hrefOf={({ deliveryId }) => toDeliveryPath(deliveryId)}
      />
    </div>
  )
}

/** Without the scheme, which they share. */
function shortOf(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

const EventPopover = lazyPart(() => import('./filter-popovers.tsx').then(({ EventPopover }) => EventPopover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})
const TimePopover = lazyPart(() => import('./filter-popovers.tsx').then(({ TimePopover }) => TimePopover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})

interface DeliveryFiltersProps {
  search: DeliveriesSearch
  endpoints: Endpoint[]
  eventNames: readonly string[]
  onNarrow: (changed: Partial<DeliveriesSearch>) => void
  /** Set if there is a filter to clear. */
  onClear: (() => void) | undefined
}

const ANY = ''

/** The filters of the list, each a button labelled with its value. */
function DeliveryFilters({ search, endpoints, eventNames, onNarrow, onClear }: DeliveryFiltersProps) {
  const t = useTranslations('webhooks')
  const range = useRangeWords(search)
  const endpointChoices = [
    { id: ANY, label: t('anyEndpoint') },
    ...endpoints.map(({ endpointId, url }) => ({ id: endpointId, label: url })),
  ]
  const stateChoices = [
    { id: ANY, label: t('anyState') },
    ...DELIVERY_STATES.map((id) => ({ id, label: t(`states.${id}`) })),
  ]
  const labelOf = (choices: { id: string; label: string }[], id: string | null) =>
    choices.find((choice) => choice.id === (id ?? ANY))?.label ?? id

  return (
    <search aria-label={t('filters')} className="mt-4 flex flex-wrap items-center gap-2">
      <ChoiceMenu
        label={t('endpoint')}
        choices={endpointChoices}
        chosen={search.endpointId ?? ANY}
        onChoose={(id) => onNarrow({ endpointId: id || null })}
      >
        <FilterButton>{labelOf(endpointChoices, search.endpointId)}</FilterButton>
      </ChoiceMenu>
      <ChoiceMenu
        label={t('state')}
        choices={stateChoices}
        chosen={search.state ?? ANY}
        onChoose={(id) => onNarrow({ state: DELIVERY_STATES.find((state) => state === id) ?? null })}
      >
        <FilterButton>{labelOf(stateChoices, search.state)}</FilterButton>
      </ChoiceMenu>
      <LazyPopover opens="dialog" button={<FilterButton>{search.event ?? t('anyEvent')}</FilterButton>}>
        {(trigger) => (
          <EventPopover
            trigger={trigger}
            names={eventNames}
            chosen={search.event}
            onChoose={(event) => onNarrow({ event })}
          />
        )}
      </LazyPopover>
      <LazyPopover opens="dialog" button={<FilterButton>{range}</FilterButton>}>
        {(trigger) => <TimePopover trigger={trigger} range={search} onChoose={onNarrow} />}
      </LazyPopover>
      <SubjectField key={search.subjectId} subjectId={search.subjectId} onNarrow={onNarrow} />
      {onClear && (
        <Button look="bare" onPress={onClear}>
          {t('clear')}
        </Button>
      )}
    </search>
  )
}

function FilterButton({ children }: { children: string | null | undefined }) {
  return (
    <Button className="max-w-full min-w-0">
      <bdi className="max-w-56 truncate">{children}</bdi>
      <ChevronDown />
    </Button>
  )
}

/** Enter filters by the typed id. */
function SubjectField({
  subjectId,
  onNarrow,
}: {
  subjectId: string | null
  onNarrow: (changed: Partial<DeliveriesSearch>) => void
}) {
  const t = useTranslations('webhooks')
  const [typed, setTyped] = useState(subjectId ?? '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onNarrow({ subjectId: typed.trim() || null })
      }}
    >
      <input
        type="search"
        enterKeyHint="search"
        aria-label={t('subjectId')}
        placeholder={t('subjectId')}
        autoComplete="off"
        spellCheck={false}
        maxLength={900}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="h-control w-52 max-w-full rounded-2 border border-line-control bg-raised px-2 text-ink placeholder:text-ink-3"
      />
    </form>
  )
}

/** "21 Nov 2026, 10:00 to 21 Nov 2026, 12:00"; either end may be open. */
function useRangeWords({ from, before }: Pick<DeliveriesSearch, 'from' | 'before'>): string {
  const t = useTranslations('webhooks')
  const times = useTimes()
  if (from && before) return t('between', { from: times.exact(from), before: times.exact(before) })
  if (from) return t('sinceTime', { from: times.exact(from) })
  if (before) return t('beforeTime', { before: times.exact(before) })
  return t('anyTime')
}
