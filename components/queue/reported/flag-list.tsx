'use client'
import { useTranslations } from 'use-intl'
import { CoveredLine } from '#components/wellness/covered-text.tsx'
import type { ShownFlag } from '#server/modules/review/schema.ts'
import { useTimes } from '../use-times.ts'

/** Who reported it, what for, and what they wrote with it. */
export function FlagList({ flags }: { flags: ShownFlag[] }) {
  const t = useTranslations('reported')
  const times = useTimes()
  return (
    <ul className="grid gap-2 text-small">
      {flags.map(({ by, reason, detail, at, isCleared }) => (
        <li key={by.userId}>
          <span className={isCleared ? 'text-ink-3' : 'font-firm text-ink'}>{reason}</span>
          {detail && (
            <span dir="auto" className="block font-member wrap-anywhere text-ink-2">
              <CoveredLine isFlagged>{detail}</CoveredLine>
            </span>
          )}
          <span className="block text-ink-3" title={times.exact(at)}>
            {t(isCleared ? 'clearedFlag' : 'flagBy', { who: by.displayName, time: times.brief(at) })}
          </span>
        </li>
      ))}
    </ul>
  )
}
