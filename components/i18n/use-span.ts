'use client'
import { useTranslations } from 'use-intl'
import { spanOf } from './span.ts'

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
