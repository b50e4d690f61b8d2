'use client'
import { Coffee, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { usePause } from '#components/kit/wellness/pause-context.tsx'
import { isPauseDue, type Stretch } from '#components/kit/wellness/stretch.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Button } from '#components/ui/button.tsx'

/** One line in the top bar, which takes no space from the content. On a phone it covers the page's name. */
export function PauseReminder() {
  const { preferences } = usePreferences()
  const now = useNow().getTime()
  const { stretch, rest } = usePause()
  const isDue = stretch !== undefined && isPauseDue(stretch, Math.max(now, stretch.until), preferences)

  return (
    <div aria-live="polite" className="min-w-0 phone:absolute phone:inset-y-0 phone:start-11 phone:end-24">
      {isDue && <Reminder stretch={stretch} now={now} onWaveAway={rest} />}
    </div>
  )
}

function Reminder({ stretch, now, onWaveAway }: { stretch: Stretch; now: number; onWaveAway: () => void }) {
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
