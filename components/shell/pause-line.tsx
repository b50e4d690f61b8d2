'use client'
import { Coffee, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Stretch } from '#components/kit/wellness/stretch.ts'
import { Button } from '#components/ui/button.tsx'

interface PauseLineProps {
  stretch: Stretch
  /** In milliseconds since 1970. */
  now: number
  onWaveAway: () => void
}

/** How long somebody has decided without a pause. */
export function PauseLine({ stretch, now, onWaveAway }: PauseLineProps) {
  const t = useTranslations('wellness')
  const minutes = Math.floor((Math.max(now, stretch.until) - stretch.since) / 60_000)
  return (
    <div className="flex h-full animate-appear items-center gap-2 px-2 phone:bg-sunken phone:px-1">
      <Coffee className="phone:hidden!" />
      <span className="min-w-0 truncate phone:line-clamp-2 phone:text-small phone:leading-4 phone:whitespace-normal">
        {t.rich('pause', {
          b: (words) => <b className="font-bold text-ink">{words}</b>,
          count: stretch.decided,
          minutes,
        })}
      </span>
      <Button look="icon" className="shrink-0" aria-label={t('waveAway')} onPress={onWaveAway}>
        <X />
      </Button>
    </div>
  )
}
