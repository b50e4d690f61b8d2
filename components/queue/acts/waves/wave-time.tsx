'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { WaveOverTime } from '#server/modules/review/bulk/schema.ts'

/** When the items of a wave were held, as bars. An image to screen readers, whose label says when it began, ended and was highest. */
export function WaveTime({ overTime: { from, to, counts } }: { overTime: WaveOverTime }) {
  const t = useTranslations('wave')
  const format = useFormatter()
  const times = useTimes()
  const most = Math.max(...counts)
  const step = (Date.parse(to) - Date.parse(from)) / counts.length
  const peak = new Date(Date.parse(from) + counts.indexOf(most) * step).toISOString()
  if (counts.length < 2) return null
  return (
    <figure>
      <div
        role="img"
        aria-label={t('overTime', {
          from: times.exact(from),
          to: times.exact(to),
          count: most,
          peak: times.exact(peak),
        })}
        className="flex h-9 items-end gap-px border-b border-line-strong"
      >
        {counts.map((count, piece) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of time have no other name
            key={piece}
            className="min-w-0 flex-1 bg-chart-decided forced-color-adjust-none"
            style={{ height: `${(count / most) * 100}%` }}
          />
        ))}
      </div>
      <figcaption className="flex justify-between gap-2 text-[11px] text-ink-3">
        <span>{times.exact(from)}</span>
        <span>{t('most', { count: format.number(most) })}</span>
        <span>{times.exact(to)}</span>
      </figcaption>
    </figure>
  )
}
