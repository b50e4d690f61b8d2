'use client'
import { AlarmClock } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTarget } from './targets-context.tsx'

/** A quiet mark beside a community that misses its target, with the words for it. */
export function MissedTarget({ communityId }: { communityId: string }) {
  const words = useMissedWords(communityId)
  return words && <AlarmClock role="img" aria-label={words} className="size-3.5 text-age-text-3" />
}

/** What is missed, in words; nothing where it is kept. */
export function useMissedWords(communityId: string): string | undefined {
  const t = useTranslations('targets')
  const target = useTarget(communityId)
  return target?.isMissed ? t('missed', { share: target.sharePercent, minutes: target.withinMinutes }) : undefined
}
