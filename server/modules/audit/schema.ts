import { z } from 'zod'
import { CalendarDate } from '#server/core/calendar.ts'
import { text } from '#server/core/text.ts'
import { ListOptions, Paging } from '#server/core/wire/schema.ts'

/** One file of the moderation activity report: what happened on one day, UTC. `fileSize` is in bytes. */
const Report = z
  .object({ fileId: z.string(), fileName: z.string(), fileSize: z.int(), lastModified: z.iso.datetime() })
  .meta({ id: 'Report' })

export const ReportsPage = z.object({ reports: z.array(Report), paging: Paging }).meta({ id: 'ReportsPage' })
export type ReportsPage = z.output<typeof ReportsPage>

/** WIRE.md, section 2, audit: `limit` and `token` stand alone here. */
export const ReportsQuery = ListOptions.unwrap()
export type ReportsQuery = z.output<typeof ReportsQuery>

/** A day is the id of its file. */
export const ReportFile = z.object({ fileId: CalendarDate, fileName: text({ max: 255 }).optional() })
export type ReportFile = z.output<typeof ReportFile>

/** A link to a file, good until `expires`, in milliseconds since 1970. */
export const ReportLink = z.object({
  fileId: CalendarDate,
  expires: z.string().regex(/^\d{1,15}$/),
  signature: text({ min: 1, max: 100 }),
})
export type ReportLink = z.output<typeof ReportLink>
