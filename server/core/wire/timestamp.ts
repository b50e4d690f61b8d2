const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DAYS_KEPT = 10_000
/** By the number of the day since 1970, the beginning of its timestamps: `2026-01-31T`. */
const days = new Map<number, string>()
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => `${number}`.padStart(2, '0'))

/** An instant as every answer has it, `2026-01-31T09:05:07.123Z`: what `toISOString` returns, in a fifth of the time. */
export function timestampOf(instant: Date): string {
  const ms = instant.getTime()
  const day = Math.floor(ms / DAY_MS)
  const inDay = ms - day * DAY_MS
  const two = (number: number) => TWO_DIGITS[number % 60]
  const time = `${two(Math.floor(inDay / HOUR_MS))}:${two(Math.floor(inDay / MINUTE_MS))}:${two(Math.floor(inDay / 1_000))}`
  return `${days.get(day) ?? startOf(day, instant)}${time}.${`${inDay % 1_000}`.padStart(3, '0')}Z`
}

export function timestampIfAny(instant: Date | null): string | undefined {
  return instant === null ? undefined : timestampOf(instant)
}

function startOf(day: number, instant: Date): string {
  // Throws for an invalid date.
  const text = instant.toISOString()
  const start = text.slice(0, text.indexOf('T') + 1)
  if (days.size >= DAYS_KEPT) days.clear()
  days.set(day, start)
  return start
}
