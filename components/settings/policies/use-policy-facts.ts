'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { LANGUAGES } from '#components/i18n/locale.ts'
import type { Policy } from '#server/modules/network/policies/schema.ts'
import { languagesOf } from './languages-of.ts'

/** What a policy is about, in a line: its ground, category, strikes and languages, and what points to it. */
export function usePolicyFacts(): (policy: Policy) => string {
  const t = useTranslations('policies')
  const format = useFormatter()
  return ({ texts, ground, legalReference, category, weight, uses }) => {
    const count = uses.reasons + uses.rules + uses.bans + uses.mutes
    return format.list(
      [
        legalReference && ground === 'law' ? legalReference : t(`grounds.${ground}`),
        t(`categories.${category}`),
        t('strikes', { weight }),
        ...languagesOf(texts).map((language) => LANGUAGES[language].name),
        t('usedBy', { count }),
      ],
      { type: 'unit', style: 'short' },
    )
  }
}
