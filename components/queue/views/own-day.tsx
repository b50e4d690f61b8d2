'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { startOfToday } from '../state/start-of-today.ts'

/** How many decisions the person made today, and the median time that each took. */
export function OwnDay() {
  const t = useTranslations('queue.ownDay')
  const { ownZone } = useZone()
  const since = startOfToday(useNow(), ownZone)
  const { data: day } = useQuery(useTRPC().review.ownDay.queryOptions({ since }))
  if (!day || day.decided === 0) return null
  const count = day.decided
  const seconds = day.medianMs === undefined ? undefined : Math.max(1, Math.round(day.medianMs / 1000))
  return (
    <span className="min-w-0 truncate text-small text-ink-3 tablet-low:hidden phone:hidden">
      {seconds === undefined ? t('decided', { count }) : t('decidedIn', { count, seconds })}
    </span>
  )
}
