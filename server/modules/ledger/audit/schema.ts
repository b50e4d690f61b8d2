import { z } from 'zod'
import { CalendarDate, TimeZone } from '#server/core/calendar.ts'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString, text } from '#server/core/text.ts'
import { LinkSignature, ListOptions, Paging } from '#server/core/wire/schema.ts'

/** One file of the moderation activity report: one UTC day. `fileSize` is in bytes. */
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

/** A link to a file. It names the credential that asked for it, as the request that follows a redirect carries none. */
export const ReportLink = LinkSignature.extend({
  fileId: CalendarDate,
  credential: z.enum(['token', 'session']),
  credentialId: text({ min: 1, max: 100 }),
})
export type ReportLink = z.output<typeof ReportLink>

/** A filter beside the action names: decisions on held items, without undone decisions and without reversals. */
export const DECIDED = 'decided'
/** A filter of the log: everything held for review; of imported items it has only their import. */
export const HELD = 'held'

const AuditFields = {
  /** The actor: a person, or the id of a token, a key or a background part of Docket. */
  actorId: text({ min: 1, max: 900 }).optional(),
  /** As `subject.verb`; or `decided`, or `held`. */
  action: text({ min: 1, max: 100 }).optional(),
  /** The subject. */
  subjectId: text({ min: 1, max: 900 }).optional(),
  communityId: text({ min: 1, max: 900 }).optional(),
  /** First and last day of the act, whole days of `timeZone`. */
  startDate: CalendarDate.optional(),
  endDate: CalendarDate.optional(),
  timeZone: TimeZone.default('UTC'),
}

/** The filter of the log. */
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

/** A link to the log as a file, limited by the filter. */
export const AuditLink = LinkSignature.extend({ filter: text({ max: 5_000 }) })
export type AuditLink = z.output<typeof AuditLink>

export const ActorKind = z.enum(['user', 'admin', 'key', 'system', 'nobody'])
export type ActorKind = z.output<typeof ActorKind>

/** One act of the log. */
export interface AuditEntry {
  auditId: string
  at: string
  /** `userId` if the actor is a person with a page; `isDeleted` if they were erased: only their id is left. */
  actor: { kind: ActorKind; id?: string; name?: string; userId?: string; isDeleted?: boolean }
  source: 'desk' | 'rest' | 'cli'
  action: string
  subject: { type: string; id: string; name?: string; isDeleted?: boolean }
  community?: { communityId: string; displayName: string }
  channel?: { channelId: string; displayName: string }
  /** Whether the same request did it and the act above it. */
  requestId: string
  /** Of moderation settings: those that were changed, and whether they are on since. */
  turned?: Record<string, boolean>
  /** Of an import: how many records it added, by their type. */
  added?: Record<string, number>
}

export interface AuditPage {
  items: AuditEntry[]
  next?: string
  previous?: string
  /** The names behind the ids in the filter. */
  narrowedTo: { actor?: string; community?: string }
}

/** One act in full. */
export interface AuditDetails extends AuditEntry {
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** The text of the act; `areWordsErased` if it had one that was erased. */
  words?: string
  areWordsErased: boolean
  /** Its number in the chain; absent until it is sealed. */
  seal?: string
  /** All acts of the same request, including this one, in order; the first 50. */
  sameAct: AuditEntry[]
}

/** How far the worker has checked the chain of the log. Numbers are seal numbers. */
export interface ChainState {
  /** The last seal. */
  sealed: string
  /** Acts that are not sealed yet. */
  unsealed: number
  /** The check that follows new seals; absent until it has begun. */
  latest?: { seq: string; at: string; problem?: string }
  /** The check from the beginning: its position, and when it last reached the end. */
  whole?: { seq: string; at: string; finishedAt?: string; problem?: string }
}
