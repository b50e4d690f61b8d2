'use client'
import { useFormatter } from 'use-intl'

/** The day of a report in words: a UTC day, whatever zone is in force. */
export function useReportDay(): (fileId: string) => string {
  const format = useFormatter()
  return (fileId) =>
    format.dateTime(new Date(`${fileId}T00:00:00Z`), {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
}
