import { dayOf, toInstants } from '#components/kit/filters/written-between.ts'

/** When the day of a zone began, as an ISO time: the same string all day, so that it can be part of a query. */
export function startOfToday(now: Date, zone: string): string {
  const today = dayOf(now, zone)
  return (toInstants({ startDate: today, endDate: null }, zone).from ?? now).toISOString()
}
