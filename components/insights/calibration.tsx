'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Calibration as Figures, InsightsInput, ScoreBand } from '#server/modules/review/insights/schema.ts'
import { type FigureColumn, FigureTable } from './figure-table.tsx'
import { Part } from './part.tsx'

/** How often people rejected items of each score, to choose the score from which a rule holds: for one community, if it has signals. */
export function Calibration({ input }: { input: InsightsInput & { communityId: string } }) {
  const t = useTranslations('insights.calibration')
  const read = useQuery(useTRPC().insights.calibration.queryOptions(input))
  const { data } = read
  if (read.isError && !data)
    return (
      <Part title={t('title')}>
        <ErrorState list={read} />
      </Part>
    )
  if (!data || data.signals.length === 0) return null
  return (
    <Part title={t('title')}>
      <p className="mb-2 text-small text-ink-3">
        {t(data.isPartial ? 'ofLatest' : 'ofAll', { count: data.decisions })}
      </p>
      {data.signals.map((signal) => (
        <Signal key={signal.name} signal={signal} />
      ))}
    </Part>
  )
}

function Signal({ signal: { name, bands } }: { signal: Figures['signals'][number] }) {
  const t = useTranslations('insights.calibration')
  const format = useFormatter()
  const percent = (share: number) => format.number(share, { style: 'percent' })
  const shareOf = ({ approved, rejected }: ScoreBand) => rejected / (approved + rejected)
  const columns: FigureColumn<ScoreBand>[] = [
    {
      id: 'score',
      header: t('score'),
      cell: ({ from }) => t('band', { from: tenths(from), to: tenths(from + 0.1) }),
    },
    { id: 'items', header: t('items'), cell: ({ approved, rejected }) => format.number(approved + rejected) },
    { id: 'rejected', header: t('rejected'), cell: (band) => percent(shareOf(band)) },
    {
      id: 'interval',
      header: t('interval'),
      cell: ({ rejectedBetween: [low, high] }) => (
        <span className="inline-flex items-center gap-2">
          <Interval low={low} high={high} />
          <span className="min-w-26">{t('between', { low: percent(low), high: percent(high) })}</span>
        </span>
      ),
    },
  ]
  const tenths = (score: number) => format.number(score, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <>
      <h3 className="mt-3 font-firm wrap-anywhere text-ink">{name}</h3>
      <FigureTable label={name} columns={columns} rows={bands} idOf={({ from }) => String(from)} />
    </>
  )
}

/** The interval on a line from none to all. */
function Interval({ low, high }: { low: number; high: number }) {
  return (
    <span aria-hidden className="relative inline-block h-1.5 w-24 rounded-full bg-sunken phone:hidden">
      <span
        className="absolute inset-y-0 min-w-1 rounded-full bg-accent"
        style={{ insetInlineStart: `${low * 100}%`, width: `${(high - low) * 100}%` }}
      />
    </span>
  )
}
