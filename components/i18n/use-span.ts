'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { MINUTE_MS, MINUTES_A_DAY, spanOf } from './span.ts'

/** A duration in words: "4 min", "1 h 38", "1 d 11 h", "1 y 10 mo". */
export function useSpan(): (ms: number) => string {
  const t = useTranslations('span')
  return (ms) => {
    const span = spanOf(ms)
    switch (span.unit) {
      case 'minutes':
        return t('minutes', { minutes: span.minutes })
      case 'hours':
        return t('hours', { hours: span.hours, minutes: String(span.minutes).padStart(2, '0') })
      case 'days':
        return t('days', { days: span.days, hours: span.hours })
      case 'months':
        return t('months', { years: span.years, months: span.months })
    }
  }
}

/** A duration in whole words, whole days from one day on: "89 days", "4 hours", "1 hour, 38 minutes". */
export function useLongSpan(): (ms: number) => string {
  const format = useFormatter()
  return (ms) => {
    const minutes = Math.max(0, Math.floor(ms / MINUTE_MS))
    const words = (unit: 'day' | 'hour' | 'minute', count: number) =>
      format.number(count, { style: 'unit', unit, unitDisplay: 'long' })
    if (minutes >= MINUTES_A_DAY) return words('day', Math.floor(minutes / MINUTES_A_DAY))
    const parts = [
      ...(minutes >= 60 ? [words('hour', Math.floor(minutes / 60))] : []),
      ...(minutes < 60 || minutes % 60 > 0 ? [words('minute', minutes % 60)] : []),
    ]
    return format.list(parts, { type: 'unit' })
  }
}
