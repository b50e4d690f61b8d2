'use client'
import { useFormatter, useTranslations } from 'use-intl'
import type { Days } from './written-between.ts'

/** A range of days in words, with the words before it; undefined for all days. */
export function useDayRange({ startDate, endDate }: Days) {
  const t = useTranslations('filters')
  const format = useFormatter()

  function day(date: string, { withYear = true } = {}): string {
    const at = new Date(`${date}T00:00:00Z`)
    if (Number.isNaN(at.getTime())) return date
    return format.dateTime(at, {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
      ...(withYear && { year: 'numeric' }),
    })
  }

  if (startDate && endDate) {
    if (startDate === endDate) return { words: 'writtenOn', days: day(startDate) } as const
    const isOneYear = startDate.slice(0, 4) === endDate.slice(0, 4)
    const days = t('days', { from: day(startDate, { withYear: !isOneYear }), until: day(endDate) })
    return { words: 'writtenBetween', days } as const
  }
  if (startDate) return { words: 'writtenFrom', days: day(startDate) } as const
  if (endDate) return { words: 'writtenUntil', days: day(endDate) } as const
  return undefined
}
