import { z } from 'zod'
import { CalendarDate, TimeZone } from '#server/core/calendar.ts'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString, text } from '#server/core/text.ts'
import { LinkSignature, ListOptions, Paging } from '#server/core/wire/schema.ts'

/** One file of the moderation activity report: what happened on one day, UTC. `fileSize` is in bytes. */
const Report = z
  .object({ fileId: z.string(), fileName: z.string(), fileSize: z.int(), lastModified: z.iso.datetime() })
  .meta({ id: 'Report' })

export const ReportsPage = z.object({ reports: z.array(Report), paging: Paging }).meta({ id: 'ReportsPage' })
export type ReportsPage = z.output<typeof ReportsPage>

/** `limit` and `token` without `options` (docs/interface/reports-and-flags.md#list-the-report-files). */
export const ReportsQuery = ListOptions.unwrap()
export type ReportsQuery = z.output<typeof ReportsQuery>

/** A day is the id of its file. */
export const ReportFile = z.object({ fileId: CalendarDate, fileName: text({ max: 255 }).optional() })
export type ReportFile = z.output<typeof ReportFile>

/** A link to a file. */
export const ReportLink = LinkSignature.extend({ fileId: CalendarDate })
export type ReportLink = z.output<typeof ReportLink>

/** Beside every name of an act: the decisions on what was held, less those that were taken back and those that reversed another. */
export const DECIDED = 'decided'
/** And all that was held for review; what came by import is there as that import alone. */
export const HELD = 'held'

const AuditFields = {
  /** Who did it: a person, or by their ids a token, a key or a part of Docket itself. */
  actorId: text({ min: 1, max: 900 }).optional(),
  /** As `subject.verb`; or `decided`, or `held`. */
  action: text({ min: 1, max: 100 }).optional(),
  /** What it was done to. */
  subjectId: text({ min: 1, max: 900 }).optional(),
  communityId: text({ min: 1, max: 900 }).optional(),
  /** First and last day on which it was done, whole days of `timeZone`. */
  startDate: CalendarDate.optional(),
  endDate: CalendarDate.optional(),
  timeZone: TimeZone.default('UTC'),
}

/** What the log is looked through for. */
export const AuditFilter = z.object(AuditFields)
export type AuditFilter = z.output<typeof AuditFilter>

/** `cursor` is the `next` or `previous` of another page. */
export const AuditInput = AuditFilter.extend({
  cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
  limit: z.int().min(1).max(100).default(50),
})
export type AuditInput = z.output<typeof AuditInput>

export const EntryInput = z.object({ auditId: z.string().regex(/^\d{1,18}$/) })
export type EntryInput = z.output<typeof EntryInput>

/** A link to the log as a file, as far as the filter goes. */
export const AuditLink = LinkSignature.extend({ filter: text({ max: 5_000 }) })
export type AuditLink = z.output<typeof AuditLink>

export const ActorKind = z.enum(['user', 'admin', 'key', 'system', 'nobody'])
export type ActorKind = z.output<typeof ActorKind>

/** One act of the log. */
export interface AuditEntry {
  auditId: string
  at: string
  /** `userId` where it is a person who has a page; `isDeleted` where they are gone: their id is what is left. */
  actor: { kind: ActorKind; id?: string; name?: string; userId?: string; isDeleted?: boolean }
  door: 'desk' | 'rest' | 'cli'
  action: string
  subject: { type: string; id: string; name?: string; isDeleted?: boolean }
  community?: { communityId: string; displayName: string }
  channel?: { channelId: string; displayName: string }
  /** Whether it was done with the one above it, by one request. */
  requestId: string
}

export interface AuditPage {
  items: AuditEntry[]
  next?: string
  previous?: string
  /** The names behind the ids one filtered by. */
  narrowedTo: { actor?: string; community?: string }
}

/** One act in full. */
export interface AuditDetails extends AuditEntry {
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** What was said with it; `areWordsErased` where something was, and has been erased since. */
  words?: string
  areWordsErased: boolean
  /** Its place in the chain; absent until it is sealed. */
  seal?: string
  /** All that the same request did, this among it, in order; the first 50. */
  sameAct: AuditEntry[]
}

/** How far along the chain of the log the worker has checked it. Numbers are those of seals. */
export interface ChainState {
  /** The last seal there is. */
  sealed: string
  /** Acts that are not sealed yet. */
  unsealed: number
  /** The walk that follows new seals; absent until it has begun. */
  latest?: { seq: string; at: string; problem?: string }
  /** The walk from the beginning: where it is, and when it last came to the end. */
  whole?: { seq: string; at: string; finishedAt?: string; problem?: string }
}
