'use client'
import { Check, ListFilter } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { Still } from '#components/ui/still.tsx'
import type { QueuePage } from '#server/modules/review/schema.ts'
import { isWhole } from './queue-search.ts'
import { AllSkipped } from './skip/all-skipped.tsx'
import type { Skipped } from './skip/use-skipped.ts'
import { useQueueFilter } from './use-queue-filter.ts'
import type { Totals } from './use-totals.ts'

/** An empty list: nothing waits, or nothing matches, and the one next thing. */
export function NothingHere({
  totals,
  narrowedTo,
  skipped,
}: {
  totals: Totals | undefined
  narrowedTo: QueuePage['narrowedTo'] | undefined
  skipped: Skipped
}) {
  const t = useTranslations('queue.nothing')
  const { search, narrow } = useQueueFilter()
  const held = totals?.held ?? 0

  if (skipped.keys.size > 0 && totals?.matching) {
    return <AllSkipped count={skipped.keys.size} onBringBack={() => skipped.bringBack()} />
  }
  if (!isWhole(search)) {
    return (
      <Still
        icon={<ListFilter />}
        title={t('noMatch', { held })}
        act={
          <Button onPress={() => narrow({ postId: null, startDate: null, endDate: null, timeZone: null })}>
            {t('dropFilters')}
          </Button>
        }
      >
        {t('noMatchText')}
      </Still>
    )
  }
  const place = narrowedTo?.community?.displayName ?? search.communityId
  const showAll = (
    <Button onPress={() => narrow({ communityId: null })}>
      {t('showAll')} <span className="font-normal text-ink-3">{t('count', { held })}</span>
    </Button>
  )
  return (
    <Still
      icon={<Check />}
      title={place ? t('inCommunity', { place }) : t('anywhere')}
      act={place && held > 0 ? showAll : undefined}
    >
      {t('text')}
    </Still>
  )
}
