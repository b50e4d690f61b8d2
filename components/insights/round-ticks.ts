const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export type TickUnit = 'minute' | 'hour' | 'day'
interface Step {
  unit: TickUnit
  /** How many units from one tick to the next. */
  count: number
}

const UNIT_MS: Record<TickUnit, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS }
const STEPS: readonly Step[] = [
  ...[1, 2, 5, 10, 15, 30].map((count): Step => ({ unit: 'minute', count })),
  ...[1, 2, 3, 6, 12].map((count): Step => ({ unit: 'hour', count })),
  ...[1, 2, 5, 7, 14, 30, 60, 90, 180, 365].map((count): Step => ({ unit: 'day', count })),
]
/** The most ticks above zero. */
const STEPS_SHOWN = 4

/** The ticks of an axis from 0 to at least `most`: round numbers at equal distances. `[0, 1]` where there is nothing. */
export function countTicks(most: number): number[] {
  const wanted = Math.max(1, most) / STEPS_SHOWN
  const power = 10 ** Math.floor(Math.log10(wanted))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= wanted) ?? 10
  return upTo(Math.max(1, most), Math.max(1, factor * power))
}

/** The ticks of an axis of durations, from 0 to at least `mostMs`: whole minutes, hours or days at equal distances; `unit` says which. */
export function durationTicks(mostMs: number): { unit: TickUnit; ticksMs: number[] } {
  const wanted = mostMs / STEPS_SHOWN
  const fitting = STEPS.find(({ unit, count }) => count * UNIT_MS[unit] >= wanted)
  const { unit, count } = fitting ?? { unit: 'day', count: Math.ceil(wanted / DAY_MS) }
  return { unit, ticksMs: upTo(Math.max(1, mostMs), count * UNIT_MS[unit]) }
}

/** A duration as a number of units: 36 hours, not a day and 12 hours, so that ticks are equally long and easy to compare. */
export const inUnits = (ms: number, unit: TickUnit): number => ms / UNIT_MS[unit]

function upTo(most: number, step: number): number[] {
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}

/** The positions among `days` that get a label, including the first and the last: at most `most`, equally far apart. */
export function dayTicks(days: number, most: number): number[] {
  if (days <= 1) return days === 1 ? [0] : []
  const steps = Array.from({ length: most - 1 }, (_, index) => most - 1 - index).find(
    (count) => (days - 1) % count === 0,
  )
  const count = steps !== undefined && steps >= Math.min(3, days - 1) ? steps : Math.min(most, days) - 1
  return Array.from({ length: count + 1 }, (_, index) => Math.round((index * (days - 1)) / count))
}
