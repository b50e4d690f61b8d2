'use client'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useDeskActs } from '../desk-acts.ts'

/** Which rules rejected the item and when, with a button that approves it instead. */
export function RejectedByRulesBanner({
  item,
  decided: { decidedByName: who, decidedAt, isRestorable },
}: {
  item: QueueItem
  decided: NonNullable<ReviewItem['decided']>
}) {
  const t = useTranslations('queue.decidedByRules')
  const times = useTimes()
  const { decisions, input } = useDeskActs()
  const restore = () => decisions.decide(item, 'approved', input, { isReversal: true })
  return (
    <Banner
      kind="rules"
      acts={
        isRestorable && (
          <Button size="small" onPress={restore}>
            {t('restore')}
          </Button>
        )
      }
    >
      {t.rich('named', { b: (text) => <b>{text}</b>, who, time: times.brief(decidedAt) })}
    </Banner>
  )
}
