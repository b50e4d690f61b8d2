'use client'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import { DELIVERY_STATES, type DeliveriesSearch } from './deliveries-search.ts'

const EventPopover = lazyPart(() => import('./event-popover.tsx').then(({ EventPopover }) => EventPopover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})
const TimePopover = lazyPart(() => import('./time-popover.tsx').then(({ TimePopover }) => TimePopover), {
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
export function DeliveryFilters({ search, endpoints, eventNames, onNarrow, onClear }: DeliveryFiltersProps) {
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
