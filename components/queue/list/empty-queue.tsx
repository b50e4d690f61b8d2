'use client'
import { Check } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { QueuePage } from '#server/modules/review/queue/schema.ts'
import { AllSkipped } from '../acts/all-skipped.tsx'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { useFilterParts } from '../views/filter/use-filter-parts.ts'
import { useNames } from '../views/filter/use-names.ts'
import type { Totals } from '../views/use-totals.ts'

const NothingMatches = lazyPart(() => import('./nothing-matches.tsx').then(({ NothingMatches }) => NothingMatches), {
  isPlain: true,
})

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
