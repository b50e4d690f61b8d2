'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { toInstants } from '#components/kit/filters/written-between.ts'
import { Hint } from '#components/ui/hint.tsx'
import { useQueueFilter } from '../use-queue-filter.ts'

/** What the days mean for people in other time zones, on request: the sentence stays on one line. */
export function InUtc() {
  const t = useTranslations('filters')
  const format = useFormatter()
  const { search, zone } = useQueueFilter()
  const { from, until } = toInstants(search, zone)
  const write = (at: Date) =>
    `${format.dateTime(at, { day: 'numeric', month: 'short', timeZone: 'UTC' })} ${format.dateTime(at, { timeStyle: 'short', timeZone: 'UTC' })}`

  if (!from && !until) return null
  return (
    <Hint label="UTC">
      {from && until && t('means', { from: write(from), until: write(until) })}
      {from && !until && t('meansFrom', { from: write(from) })}
      {!from && until && t('meansUntil', { until: write(until) })}
    </Hint>
  )
}
