'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { toInstants } from '#components/kit/filters/written-between.ts'
import { useQueueFilter } from '../../state/use-queue-filter.ts'

/** What the days mean for people in other time zones. */
export function InUtc() {
  const t = useTranslations('filters')
  const format = useFormatter()
  const { search, zone } = useQueueFilter()
  const { from, until } = toInstants(search, zone)
  const write = (at: Date) =>
    `${format.dateTime(at, { day: 'numeric', month: 'short', timeZone: 'UTC' })} ${format.dateTime(at, { timeStyle: 'short', timeZone: 'UTC' })}`

  if ((!from && !until) || zone === 'UTC') return null
  return (
    <span className="text-small text-ink-3">
      {from && until && t('means', { from: write(from), until: write(until) })}
      {from && !until && t('meansFrom', { from: write(from) })}
      {!from && until && t('meansUntil', { until: write(until) })}
    </span>
  )
}
