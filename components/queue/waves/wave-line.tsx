'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'
import type { WaveSummary } from '#server/modules/review/bulk/schema.ts'

const MINUTE_MS = 60_000

/** How many near-duplicates there are, of how many accounts, where, and within which time. In a low window it takes one line, as `ItemLine` does. */
export function WaveLine({ wave, onOpen }: { wave: WaveSummary; onOpen: () => void }) {
  const t = useTranslations('wave')
  const span = useSpan()
  const shortcut = useShortcut('wave')
  const { count, isMore, isCut, accounts, communities, firstHeldAt, lastHeldAt } = wave
  return (
    <section
      aria-label={t('label')}
      className="group/line flex items-center gap-2 border-t border-line px-4 py-1 text-small low:py-0 phone:px-3"
    >
      <p className="min-w-0 flex-1 text-ink-2 low:truncate low:group-focus-within/line:whitespace-normal">
        {t.rich('line', {
          b: (text: ReactNode) => <b className="font-bold text-ink">{text}</b>,
          count,
          isMore: String(isMore),
          isCut: String(isCut),
          accounts,
          communities,
          // A duration stays on one line.
          span: span(Math.max(MINUTE_MS, Date.parse(lastHeldAt) - Date.parse(firstHeldAt))).replaceAll(' ', '\u00a0'),
        })}
      </p>
      <Button look="bare" size="small" className="px-1.5!" aria-keyshortcuts={shortcut} onPress={onOpen}>
        {t('open')}
        <ActKeycap act="wave" className="phone:hidden" />
      </Button>
    </section>
  )
}
