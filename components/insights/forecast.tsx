'use client'
import { useTranslations } from 'use-intl'
import type { Pace } from '#server/modules/review/insights/schema.ts'
import { forecastOf } from './forecast-of.ts'

/** When the queue will be empty if people go on as in the last days, or how fast it grows, and how that is computed. */
export function Forecast({ waiting, pace }: { waiting: number; pace: Pace }) {
  const t = useTranslations('insights.forecast')
  const { will, count } = forecastOf(waiting, pace)
  return (
    <p className="mt-3">
      <b className="font-firm text-ink">{t(will, { days: pace.days, count })}</b>{' '}
      <span className="text-small text-ink-3">{t('how', { ...pace })}</span>
    </p>
  )
}
