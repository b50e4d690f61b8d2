'use client'
import { useFormatter, useTranslations } from 'use-intl'
import type { Patterns } from '#server/modules/review/insights/schema.ts'
import { type FigureColumn, FigureTable } from './figure-table.tsx'
import { InFigures } from './in-figures.tsx'
import { Part } from './part.tsx'

const WEEKDAYS = Array.from({ length: 7 }, (_, weekday) => weekday)
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** The hours that have a label. */
const LABELLED = [0, 6, 12, 18]

/** How many items come and are decided in each hour of the week, as grids and tables. */
export function LoadByHour({ hours: { held, approved, rejected } }: Pick<Patterns, 'hours'>) {
  const t = useTranslations('insights.load')
  const insights = useTranslations('insights')
  const decided = approved.map((count, hour) => count + (rejected[hour] ?? 0))
  const grids = [
    { id: 'held', counts: held },
    { id: 'decided', counts: decided },
  ] as const
  return (
    <Part title={t('title')}>
      {grids.map(({ id, counts }) => (
        <Grid key={id} name={t(id)} counts={counts} />
      ))}
      <InFigures title={insights('inFigures')}>
        {grids.map(({ id, counts }) => (
          <HoursTable key={id} name={t(id)} counts={counts} />
        ))}
      </InFigures>
    </Part>
  )
}

interface HoursProps {
  name: string
  /** 168, from Monday 0:00 on. */
  counts: number[]
}

/** The darker an hour, the more of the busiest one. An image to screen readers, whose label names that one. */
function Grid({ name, counts }: HoursProps) {
  const t = useTranslations('insights.load')
  const { weekdayOf, hourOf } = useNames()
  const most = Math.max(...counts)
  const busiest = counts.indexOf(most)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const summary =
    total === 0
      ? t('nothing')
      : t('busiest', { count: most, weekday: weekdayOf(Math.floor(busiest / 24), 'long'), hour: hourOf(busiest % 24) })
  return (
    <div className="mt-2">
      <p className="text-small">
        <b className="font-firm text-ink">{name}</b> {summary}
      </p>
      <div
        role="img"
        aria-label={`${name}: ${summary}`}
        className="mt-1 grid grid-cols-[2.5rem_minmax(0,1fr)] text-[11px]"
      >
        {WEEKDAYS.map((weekday) => (
          <div key={weekday} className="contents">
            <span className="self-center leading-4 text-ink-3">{weekdayOf(weekday, 'short')}</span>
            <span className="grid grid-cols-24 gap-px py-px">
              {HOURS.map((hour) => {
                const count = counts[weekday * 24 + hour] ?? 0
                return (
                  <span
                    key={hour}
                    title={t('cell', { weekday: weekdayOf(weekday, 'long'), hour: hourOf(hour), count })}
                    className="relative h-3.5 bg-chart-grid forced-color-adjust-none"
                  >
                    {count > 0 && (
                      <span className="absolute inset-0 bg-chart-decided" style={{ opacity: shadeOf(count / most) }} />
                    )}
                  </span>
                )
              })}
            </span>
          </div>
        ))}
        <span />
        <span className="grid grid-cols-24 text-ink-3">
          {LABELLED.map((hour) => (
            <span key={hour} className="col-span-6 pt-0.5 leading-4">
              {hourOf(hour)}
            </span>
          ))}
        </span>
      </div>
    </div>
  )
}

/** So that one item differs from none. */
const shadeOf = (share: number) => 0.15 + 0.85 * share

function HoursTable({ name, counts }: HoursProps) {
  const t = useTranslations('insights.load')
  const format = useFormatter()
  const { weekdayOf, hourOf } = useNames()
  const columns: FigureColumn<number>[] = [
    { id: 'hour', header: t('hour'), cell: hourOf },
    ...WEEKDAYS.map((weekday) => ({
      id: String(weekday),
      header: weekdayOf(weekday, 'short'),
      cell: (hour: number) => format.number(counts[weekday * 24 + hour] ?? 0),
    })),
  ]
  return (
    <>
      <h3 className="mt-3 font-firm text-ink">{name}</h3>
      <FigureTable label={name} columns={columns} rows={HOURS} idOf={String} />
    </>
  )
}

/** Weekdays and hours as the person's language writes them. */
function useNames() {
  const format = useFormatter()
  // A Monday.
  const at = (weekday: number, hour: number) => new Date(Date.UTC(2024, 0, 1 + weekday, hour))
  return {
    weekdayOf: (weekday: number, length: 'short' | 'long') =>
      format.dateTime(at(weekday, 0), { weekday: length, timeZone: 'UTC' }),
    hourOf: (hour: number) => format.dateTime(at(0, hour), { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }),
  }
}
