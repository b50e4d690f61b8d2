'use client'
import { useQueries } from '@tanstack/react-query'
import { Check, ListFilter } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { NOTHING_NARROWED, toDeskFilter } from '#components/kit/addresses/queue-search.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import type { QueuePage } from '#server/modules/review/queue/schema.ts'
import { useFilterParts } from './filter/use-filter-parts.ts'
import { useNames } from './filter/use-names.ts'
import { AllSkipped } from './skip/all-skipped.tsx'
import { useQueueFilter } from './use-queue-filter.ts'
import type { Totals } from './use-totals.ts'

const WORDS = {
  waiting: ['anywhere', 'text'],
  mine: ['noneMine', 'mineText'],
  escalated: ['notEscalated', 'escalatedText'],
  reported: ['notReported', 'reportedText'],
} as const

interface NothingHereProps {
  totals: Totals | undefined
  narrowedTo: QueuePage['narrowedTo'] | undefined
  /** How many items are skipped. */
  skipped: number
}

/** The empty list: nothing is pending or nothing matches, with the next step. */
export function EmptyQueue({ totals, narrowedTo, skipped }: NothingHereProps) {
  const t = useTranslations('queue.nothing')
  const { search, narrow } = useQueueFilter()
  const names = useNames(narrowedTo)
  const parts = useFilterParts(names)
  const held = totals?.held ?? 0
  if (skipped > 0 && totals?.matching) return <AllSkipped count={skipped} />
  if (parts.length > 0) return <NothingMatches held={held} parts={parts} />

  const space = names.community
  const showAll = (
    <Button onPress={() => narrow({ communityId: null })}>
      {t('showAll')} <span className="font-normal text-ink-3">{t('count', { held })}</span>
    </Button>
  )
  const [anywhere, text] = WORDS[search.view]
  return (
    <EmptyState
      icon={<Check />}
      title={space ? t('inCommunity', { space }) : t(anywhere)}
      act={space && held > 0 ? showAll : undefined}
    >
      {t(text)}
    </EmptyState>
  )
}

/** Names the filters, and offers to remove the one that excludes the most items; all of them if none does by itself. */
function NothingMatches({ held, parts }: { held: number; parts: ReturnType<typeof useFilterParts> }) {
  const t = useTranslations('queue.nothing')
  const format = useFormatter()
  const trpc = useTRPC()
  const { search, zone, narrow } = useQueueFilter()
  const droppable = parts.flatMap(({ drop, dropLabel = '', value, id }) =>
    drop && id !== 'zone' ? [{ drop, dropLabel, value }] : [],
  )
  const matching = useQueries({
    queries: droppable.map(({ drop }) => trpc.review.matching.queryOptions(toDeskFilter({ ...search, ...drop }, zone))),
  })
  const counts = matching.map(({ data }) => data?.count ?? 0)
  const most = Math.max(0, ...counts)
  const best = most > 0 ? droppable[counts.indexOf(most)] : undefined
  const isLowerBound = matching[counts.indexOf(most)]?.data?.isLowerBound
  const areCounted = matching.every(({ isPending }) => !isPending)

  return (
    <EmptyState
      icon={<ListFilter />}
      title={t('noMatch', { held })}
      act={
        areCounted && (
          <Button onPress={() => narrow(best?.drop ?? NOTHING_NARROWED)}>{best?.dropLabel ?? t('dropAll')}</Button>
        )
      }
    >
      {t('filteredBy', { filters: format.list(parts.map(({ lead, value }) => (lead ? `${lead} ${value}` : value))) })}{' '}
      {areCounted &&
        (best ? t(isLowerBound ? 'atLeastWithout' : 'without', { what: best.value, count: most }) : t('noneWithout'))}
    </EmptyState>
  )
}
