'use client'
import { useFormatter, useTranslations } from 'use-intl'
import type { ChosenTerm } from './term-choice.tsx'

/** How long, as a part of a sentence: "for 1 week", "until the end of 3 Dec 2026". */
export function useTermPhrase(): (chosen: ChosenTerm) => string {
  const t = useTranslations('ban')
  const format = useFormatter()
  // A calendar day, the same in every zone.
  const day = (lastDay: string) =>
    format.dateTime(new Date(lastDay), { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  return ({ term = 'forever', lastDay }) =>
    term === 'until' ? t('for.until', { day: day(lastDay) }) : t(`for.${term}`)
}
