/** Ranges of days that move with the calendar. */
export const PERIODS = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth'] as const
export type Period = (typeof PERIODS)[number]

/** The days of a period, seen from a day of the zone's calendar. */
export function periodDays(period: Period, today: string): { startDate: string; endDate: string } {
  const firstOfMonth = `${today.slice(0, 8)}01`
  switch (period) {
    case 'today':
      return { startDate: today, endDate: today }
    case 'yesterday':
      return { startDate: addDays(today, -1), endDate: addDays(today, -1) }
    case 'last7':
      return { startDate: addDays(today, -6), endDate: today }
    case 'last30':
      return { startDate: addDays(today, -29), endDate: today }
    case 'thisMonth':
      return { startDate: firstOfMonth, endDate: today }
    case 'lastMonth': {
      const endDate = addDays(firstOfMonth, -1)
      return { startDate: `${endDate.slice(0, 8)}01`, endDate }
    }
  }
}

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
