'use client'
import { useTranslations } from 'use-intl'
import { usePolicies } from '../policies/use-policies.ts'
import { useTimes } from '../times/use-times.ts'

interface Ban {
  by?: string
  at?: string
  endsAt?: string
  reason?: string
  policyId?: string
}

/** Says until when a ban lasts, by whom it is, since when and why, with the policy that was broken, as far as known. */
export function useBanMessage(): (ban: Ban) => { until: string; who: string | undefined } {
  const t = useTranslations('ban')
  const times = useTimes()
  const { titleOf } = usePolicies()
  return ({ by, at, endsAt, reason, policyId }) => {
    const made = at ? t('madeBy', { who: by ?? t('somebody'), time: times.brief(at) }) : undefined
    const broken = titleOf(policyId)
    const why = broken && reason ? t('policyAndReason', { policy: broken, reason }) : (broken ?? reason)
    return {
      until: endsAt ? t('until', { time: times.exact(endsAt) }) : t('untilLifted'),
      who: made && why ? t('madeFor', { made, reason: why }) : made,
    }
  }
}
