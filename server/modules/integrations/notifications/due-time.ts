import { Temporal } from 'temporal-polyfill'
import { TimeZone } from '#server/core/calendar.ts'
import type { Pace } from '#server/modules/integrations/notifications/schema.ts'

/** When a person gets notifications: hours of the day in their zone. */
export interface Schedule {
  zone: string
  digestHour: number
  /** Null together. */
  quietFrom: number | null
  quietUntil: number | null
}

/**
 * When a notification of what is known now is sent at this pace: at once, at the next full hour, or at the next time it is the hour of the digest. Within
 * the quiet hours, at their end. An hour that is skipped when clocks change is the one after; one that comes twice counts once.
 */
export function dueAt(pace: Pace, schedule: Schedule, now: Date): Date {
  // A zone that this runtime doesn't know must not keep others from being told.
  const zone = TimeZone.safeParse(schedule.zone).success ? schedule.zone : 'UTC'
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone)
  return new Date(afterQuiet(atPace(pace, local, schedule), schedule).epochMilliseconds)
}

function atPace(
  pace: Pace,
  local: Temporal.ZonedDateTime,
  { digestHour }: Pick<Schedule, 'digestHour'>,
): Temporal.ZonedDateTime {
  switch (pace) {
    case 'once':
      return local
    case 'hourly':
      return nextFullHour(local)
    case 'daily':
      return nextTimeAt(local, digestHour)
  }
}

function nextFullHour(local: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const next = local.round({ smallestUnit: 'hour', roundingMode: 'floor' }).add({ hours: 1 })
  // After clocks were set back by half an hour, this is when they were.
  return Temporal.ZonedDateTime.compare(next, local) > 0 ? next : nextTimeAt(local, (local.hour + 1) % 24)
}

/** The next time that it is this hour, later than `local`. */
function nextTimeAt(local: Temporal.ZonedDateTime, hour: number): Temporal.ZonedDateTime {
  const on = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone: local.timeZoneId, plainTime: { hour } })
  const today = on(local.toPlainDate())
  return Temporal.ZonedDateTime.compare(today, local) > 0 ? today : on(local.toPlainDate().add({ days: 1 }))
}

function afterQuiet(
  local: Temporal.ZonedDateTime,
  { quietFrom, quietUntil }: Pick<Schedule, 'quietFrom' | 'quietUntil'>,
): Temporal.ZonedDateTime {
  if (quietFrom === null || quietUntil === null) return local
  const isQuiet =
    quietFrom < quietUntil
      ? local.hour >= quietFrom && local.hour < quietUntil
      : local.hour >= quietFrom || local.hour < quietUntil
  return isQuiet ? nextTimeAt(local, quietUntil) : local
}
