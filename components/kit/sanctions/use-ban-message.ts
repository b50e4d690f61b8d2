'use client'
import { useTranslations } from 'use-intl'
import { useTimes } from '../times/use-times.ts'

interface Ban {
  by?: string
  at?: string
  endsAt?: string
  reason?: string
}

/** Says until when a ban lasts, by whom it is, since when and why, as far as known. */
export function useBanMessage(): (ban: Ban) => { until: string; who: string | undefined } {
  const t = useTranslations('ban')
  const times = useTimes()
  return ({ by, at, endsAt, reason }) => {
    const made = at ? t('madeBy', { who: by ?? t('somebody'), time: times.brief(at) }) : undefined
    return {
      until: endsAt ? t('until', { time: times.exact(endsAt) }) : t('untilLifted'),
      who: made && reason ? t('madeFor', { made, reason }) : made,
    }
  }
}
