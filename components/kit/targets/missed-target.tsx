'use client'
import { AlarmClock } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTarget } from './targets-context.tsx'

/** A mark beside a community that misses its target, with an explanation. */
export function MissedTarget({ communityId }: { communityId: string }) {
  const words = useMissedTargetText(communityId)
  return words && <AlarmClock role="img" aria-label={words} className="size-3.5 text-age-text-3" />
}

/** Explains how the target is missed; undefined if it is met. */
export function useMissedTargetText(communityId: string): string | undefined {
  const t = useTranslations('targets')
  const target = useTarget(communityId)
  return target?.isMissed ? t('missed', { share: target.sharePercent, minutes: target.withinMinutes }) : undefined
}
