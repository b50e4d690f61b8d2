'use client'
import { useFormatter, useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { DECIDED, HELD } from '#components/kit/addresses/audit-search.ts'
import type { Insights, Waiting } from '#server/modules/review/insights/schema.ts'
import { CountsChart } from './counts-chart.tsx'
import { FigureLink } from './figure-link.tsx'
import { type FigureColumn, FigureTable } from './figure-table.tsx'
import { InFigures } from './in-figures.tsx'
import { Part } from './part.tsx'
import { SpansChart } from './spans-chart.tsx'
import type { Lists } from './use-lists.ts'

type Day = Insights['days'][number]

interface DayChartProps {
  insights: Insights
  lists: Lists
}

/** The number of items held and decided each day, as a chart and a table. */
export function HeldAndDecided({ insights: { days, total }, lists }: DayChartProps) {
  const t = useTranslations('insights')
  const format = useFormatter()
  const dayColumn = useDayColumn()
  const columns: FigureColumn<Day>[] = [
    dayColumn,
    {
      id: 'held',
      header: t('held'),
      cell: ({ day, held }) => (
        <FigureLink href={held > 0 ? lists.audit({ action: HELD, startDate: day, endDate: day }) : undefined}>
          {format.number(held)}
        </FigureLink>
      ),
    },
    {
      id: 'decided',
      header: t('decided'),
      cell: ({ day, approved, rejected }) => (
        <FigureLink
          href={approved + rejected > 0 ? lists.audit({ action: DECIDED, startDate: day, endDate: day }) : undefined}
        >
          {format.number(approved + rejected)}
        </FigureLink>
      ),
    },
  ]
  return (
    <Part title={t('heldAndDecided')}>
      <p className="mb-2 flex gap-3.5 text-small">
        <Key mark="h-2.5 bg-chart-quiet">{t('heldKey')}</Key>
        <Key mark="h-[3px] bg-chart-decided">{t('decidedKey')}</Key>
      </p>
      <CountsChart
        days={days}
        label={t('countsSummary', { held: total.held, decided: total.approved + total.rejected })}
      />
      <InFigures title={t('inFigures')}>
        <FigureTable label={t('heldAndDecided')} columns={columns} rows={days} idOf={({ day }) => day} />
      </InFigures>
    </Part>
  )
}

/** The time to decision each day, as a chart and a table. */
export function TimeToDecision({
  insights: { days, total },
  target,
}: {
  insights: Insights
  target: Waiting['target']
}) {
  const t = useTranslations('insights')
  const span = useSpan()
  const spanOf = (ms: number | undefined) => (ms === undefined ? '–' : span(ms))
  const columns: FigureColumn<Day>[] = [
    useDayColumn(),
    { id: 'median', header: t('median'), cell: ({ medianMs }) => spanOf(medianMs) },
    { id: 'ninetieth', header: t('ninetiethKey'), cell: ({ ninetiethMs }) => spanOf(ninetiethMs) },
  ]
  const decidedOn = days.filter(({ medianMs }) => medianMs !== undefined).length
  // A dot alone on its axes says less than its figures.
  if (decidedOn < 2)
    return (
      <Part title={t('timeToDecision')}>
        <SpanBar
          medianMs={total.medianMs}
          ninetiethMs={total.ninetiethMs}
          label={t('spansSummary', { median: spanOf(total.medianMs), ninetieth: spanOf(total.ninetiethMs) })}
        />
        <p>
          {t('oneDay', {
            count: decidedOn,
            median: spanOf(total.medianMs),
            ninetieth: spanOf(total.ninetiethMs),
          })}
        </p>
      </Part>
    )
  return (
    <Part title={t('timeToDecision')}>
      <p className="mb-2 flex flex-wrap gap-x-3.5 text-small">
        <Key mark="h-[3px] bg-chart-decided">{t('medianKey')}</Key>
        <Key mark="h-0 border-t-[3px] border-dotted border-chart-held">{t('ninetiethKey')}</Key>
        {target && <Key mark="h-0 border-t-2 border-dashed border-age-3">{t('targetKey')}</Key>}
      </p>
      <SpansChart
        days={days}
        targetMs={target && target.withinMinutes * 60_000}
        label={t('spansSummary', { median: spanOf(total.medianMs), ninetieth: spanOf(total.ninetiethMs) })}
      />
      <InFigures title={t('inFigures')}>
        <FigureTable label={t('timeToDecision')} columns={columns} rows={days} idOf={({ day }) => day} />
      </InFigures>
    </Part>
  )
}

/** Half of all decisions, and nine of ten, on one bar. */
function SpanBar({
  medianMs,
  ninetiethMs,
  label,
}: {
  medianMs: number | undefined
  ninetiethMs: number | undefined
  label: string
}) {
  if (medianMs === undefined || ninetiethMs === undefined) return null
  return (
    <div role="img" aria-label={label} className="my-2 h-2.5 bg-chart-held forced-color-adjust-none">
      <div
        className="h-full min-w-0.5 bg-chart-decided"
        style={{ width: `${(medianMs / Math.max(1, ninetiethMs)) * 100}%` }}
      />
    </div>
  )
}

function useDayColumn(): FigureColumn<Day> {
  const t = useTranslations('insights')
  const format = useFormatter()
  return {
    id: 'day',
    header: t('day'),
    cell: ({ day }) =>
      format.dateTime(new Date(`${day}T00:00:00Z`), {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone: 'UTC',
      }),
  }
}

function Key({ mark, children }: { mark: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`inline-block w-3.5 forced-color-adjust-none ${mark}`} />
      {children}
    </span>
  )
}
