'use client'
import { useNow } from '#components/i18n/now.tsx'
import { usePause } from '#components/kit/wellness/pause-context.tsx'
import { isPauseDue } from '#components/kit/wellness/stretch.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'

const PauseLine = lazyPart(() => import('./pause-line.tsx').then(({ PauseLine }) => PauseLine), { isPlain: true })

/** One line in the top bar, which takes no space from the content. On a phone it covers the page's name. */
export function PauseReminder() {
  const { preferences } = usePreferences()
  const now = useNow().getTime()
  const { stretch, rest } = usePause()
  const isDue = stretch !== undefined && isPauseDue(stretch, Math.max(now, stretch.until), preferences)

  return (
    <div
      aria-live="polite"
      className="pointer-events-none min-w-0 *:pointer-events-auto phone:absolute phone:inset-y-0 phone:start-11 phone:end-24"
    >
      {isDue && <PauseLine stretch={stretch} now={now} onWaveAway={rest} />}
    </div>
  )
}
