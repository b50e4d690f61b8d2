'use client'
import { useFormatter } from 'use-intl'
import { useNow } from '#components/i18n/now.tsx'
import { dayOf } from '../filters/written-between.ts'
import { useZone } from '../zones/use-zone.ts'

/** Dates as chips and charts have them too: `dateStyle` would write months in figures in some languages. */
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const

/** Formats times in the zone in force; `now` updates every few seconds. */
export function useTimes() {
  const format = useFormatter()
  const now = useNow()
  const { zone } = useZone()
  const today = dayOf(now, zone)

  const time = (at: string) => format.dateTime(new Date(at), { timeStyle: 'short' })
  const date = (at: string) => format.dateTime(new Date(at), DATE)
  /** Without the year if it is this one. */
  const yearOf = (day: string) => (day.slice(0, 4) === today.slice(0, 4) ? undefined : 'numeric')
  return {
    now: now.getTime(),
    time,
    date,
    /** "15 Nov 2026, 00:23". */
    exact: (at: string) => format.dateTime(new Date(at), { ...DATE, hour: 'numeric', minute: '2-digit' }),
    /** To the second. */
    precise: (at: string) =>
      format.dateTime(new Date(at), { ...DATE, hour: 'numeric', minute: '2-digit', second: '2-digit' }),
    /** The time if it was today, else the day. */
    brief(at: string): string {
      const day = dayOf(new Date(at), zone)
      if (day === today) return time(at)
      return format.dateTime(new Date(at), { ...DATE, year: yearOf(day) })
    },
    /** The time, and the day if it isn't today: "30 Nov, 12:41". */
    timeAndDay(at: string): string {
      const day = dayOf(new Date(at), zone)
      if (day === today) return time(at)
      return format.dateTime(new Date(at), { ...DATE, year: yearOf(day), hour: 'numeric', minute: '2-digit' })
    },
  }
}
