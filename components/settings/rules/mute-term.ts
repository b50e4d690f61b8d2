'use client'
import { useTranslations } from 'use-intl'

/** In minutes, the terms that the form offers. */
export const MUTE_TERMS = [60, 24 * 60, 7 * 24 * 60, 30 * 24 * 60]

const [HOUR, DAY] = [60, 24 * 60]

/** A term in the largest unit that it is a whole number of: "90 minutes", "7 days". */
export function useMuteTerm(): (minutes: number) => string {
  const t = useTranslations('rules')
  return (minutes) => {
    if (minutes % DAY === 0) return t('muteTerm', { unit: 'days', count: minutes / DAY })
    if (minutes % HOUR === 0) return t('muteTerm', { unit: 'hours', count: minutes / HOUR })
    return t('muteTerm', { unit: 'minutes', count: minutes })
  }
}
