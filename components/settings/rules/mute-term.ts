'use client'
import { useTranslations } from 'use-intl'
import { FIXED_TERMS } from '#components/kit/sanctions/terms.ts'

type FixedTerm = keyof typeof FIXED_TERMS

/** In minutes, the terms that the form offers: those of mutes by hand, up to the longest that a rule can have. */
export const MUTE_TERMS: number[] = Object.values(FIXED_TERMS)

const [HOUR, DAY] = [60, 24 * 60]

/** A term as it is called in mutes by hand; any other in the largest unit that it is a whole number of: "90 minutes". */
export function useMuteTerm(): (minutes: number) => string {
  const t = useTranslations('rules')
  const ban = useTranslations('ban.terms')
  return (minutes) => {
    const term = (Object.keys(FIXED_TERMS) as FixedTerm[]).find((one) => FIXED_TERMS[one] === minutes)
    if (term) return ban(term)
    if (minutes % DAY === 0) return t('muteTerm', { unit: 'days', count: minutes / DAY })
    if (minutes % HOUR === 0) return t('muteTerm', { unit: 'hours', count: minutes / HOUR })
    return t('muteTerm', { unit: 'minutes', count: minutes })
  }
}
