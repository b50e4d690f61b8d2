import { z } from 'zod'
import { CalendarDate, TimeZone } from '#server/core/calendar.ts'
import type { Page } from '#server/core/list-page.ts'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString, text, visibleText } from '#server/core/text.ts'
import { LinkSignature } from '#server/core/wire/schema.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import type { TreatmentInForce } from '#server/modules/spaces/author-treatments/schema.ts'
import type { BanSpace, OneSpace } from '#server/modules/spaces/sanctions/schema.ts'

/** Any of a person's three ids, of which two are distinct: `userPublicId` is `userId`. */
const AnyUserId = text({ min: 1, max: 900 })

/** Banned from the whole network, flagged by others, with a staff account, or deleted. */
export const PersonState = z.enum(['banned', 'flagged', 'staff', 'deleted'])
export type PersonState = z.output<typeof PersonState>

/** An id, or part of a name or handle, possibly misspelt; up to 100 characters. Without a state, also deleted people. */
export const FindPeopleInput = z.object({ query: text({ min: 1, max: 100 }), state: PersonState.optional() })
export type FindPeopleInput = z.output<typeof FindPeopleInput>

/** How a person was found, the best match first: `misspelt` has every word of the query with one typing error at most. */
export const MATCHES = ['exact', 'beginning', 'part', 'misspelt', 'similar'] as const

/** Somebody in a list of people. */
export interface ListedPerson {
  userId: string
  userInternalId: string
  displayName: string
  profileHandle?: string
  isGlobalBan: boolean
  isDeleted: boolean
  createdAt: string
}

export interface FoundPerson extends ListedPerson {
  match: (typeof MATCHES)[number]
}

export const PersonInput = z.object({ userId: AnyUserId })
export type PersonInput = z.output<typeof PersonInput>

/** `cursor` is the `next` or `previous` of another page of the same list. */
const PageInput = z.object({
  cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
  limit: z.int().min(1).max(100).default(20),
})

/** The newest people in a state; without one, all but deleted people. */
export const NewestInput = PageInput.extend({ state: PersonState.optional() })
export type NewestInput = z.output<typeof NewestInput>

/** `total` is exact up to 10,000; with `isLowerBound` there are more. */
export interface NewestPeople extends Page<ListedPerson> {
  total: { count: number; isLowerBound: boolean }
}

/** One list of a person's page. */
export const PersonListInput = PersonInput.extend(PageInput.shape)
export type PersonListInput = z.output<typeof PersonListInput>

/** What became of what a person wrote. `published` with or without an approval; `removed` by anyone, including the author. */
export const ContentState = z.enum(['held', 'published', 'rejected', 'removed'])
export type ContentState = z.output<typeof ContentState>

export const ContentType = z.enum(['comment', 'post', 'message'])
export type ContentType = z.output<typeof ContentType>

/** What to list of what a person wrote. `reported` has an open report, whatever else became of it. */
export const ContentFilter = z.object({
  state: z.enum([...ContentState.options, 'reported']).optional(),
  kind: ContentType.optional(),
  /** Messages of its channel included. */
  communityId: AnyUserId.optional(),
  /** First and last day on which it was written, whole days of `timeZone`. */
  startDate: CalendarDate.optional(),
  endDate: CalendarDate.optional(),
  timeZone: TimeZone.default('UTC'),
})
export type ContentFilter = z.output<typeof ContentFilter>

export const ContentListInput = PersonListInput.extend(ContentFilter.shape)
export type ContentListInput = z.output<typeof ContentListInput>

/** `before` is that of another page. Days are those of `timeZone`. */
export const TimelineInput = PersonInput.extend({
  before: z.iso.datetime().optional(),
  timeZone: TimeZone.default('UTC'),
})
export type TimelineInput = z.output<typeof TimelineInput>

/** A person named beside their action; an admin token has only a name. */
export interface Named {
  userId?: string
  displayName: string
}

export interface CommunitySpace {
  communityId: string
  displayName: string
  membership: 'member' | 'banned'
  roles: string[]
  since: string
  mutedUntil?: string
}

export interface ChannelSpace {
  channelId: string
  displayName: string
  type: string
  membership: 'member' | 'banned'
  roles: string[]
  since: string
  mutedUntil?: string
}

/** Times are ISO 8601, UTC. Without `endsAt` it lasts until somebody lifts it; one that is over has `liftedAt`. */
interface Sanction {
  at: string
  by?: Named
  reason?: string
  policyId?: string
  endsAt?: string
  liftedAt?: string
  /** Absent where its time was over. */
  liftedBy?: Named
}

export interface BanRecord extends Sanction {
  banId: string
  space: BanSpace & { displayName: string }
  /** In force, and the caller may end it early. */
  mayLift: boolean
}

export interface MuteRecord extends Sanction {
  muteId: string
  space: OneSpace & { displayName: string }
  /** In force, and the caller may end it early. */
  mayLift: boolean
}

/** Besides approvals and rejections, the outcome of reports. */
export type DecidedOutcome = 'approved' | 'rejected' | 'dismissed' | 'deleted'

export interface DecisionRecord {
  decisionId: string
  subjectType: string
  subjectId: string
  outcome: DecidedOutcome
  at: string
  by: Named
  author: Named
  community?: { communityId: string; displayName: string }
  reason?: string
  /** The beginning of the content that was decided on, while it exists; with an ellipsis if it goes on. */
  excerpt?: string
  isReversal: boolean
  undoneAt?: string
}

export interface FlagRecord {
  subjectType: 'comment' | 'post' | 'message' | 'user'
  subjectId: string
  by: Named
  /** Set if a rule flagged it: `by` has its id, and `reason` its name. */
  isByRule?: boolean
  at: string
  reason: string
  detail?: string
  clearedAt?: string
  excerpt?: string
}

/** Something that the person wrote, and what became of it. */
export interface ContentRecord {
  subjectType: ContentType
  subjectId: string
  version: number
  state: ContentState
  /** It has an open report. */
  isReported?: true
  writtenAt: string
  /** Absent where it was never held. */
  heldAt?: string
  community?: { communityId: string; displayName: string }
  /** Of a message. */
  channel?: { channelId: string; displayName: string }
  /** What the caller may do: approve or reject what is held, delete what is published. */
  allowed: ('approved' | 'rejected' | 'deleted')[]
  /** Why they may do nothing. */
  whyNot?: ContentBlock
  /** Who has claimed it, if that is the reason. */
  claimedByName?: string
  /** The latest decision on it that was not undone. */
  decision?: { outcome: DecidedOutcome; at: string; by: Named; reason?: string }
  /** Set if rules rejected it, and nobody has decided since. */
  rejectedByRulesAt?: string
  /** Absent where the log doesn't contain it, as of imported content. `by` is absent for a program. */
  removal?: { at: string; by?: Named }
  excerpt?: string
}

/** The caller wrote it, may not decide here, a colleague has claimed it, or it is rejected or removed already. */
export type ContentBlock = 'OWN' | 'FORBIDDEN' | 'CLAIMED' | 'OVER'

/** What happens around a person: what they write, reports and decisions on it, bans, mutes and treatments, and how these end. */
export type TimelineAct =
  | 'wrote'
  | 'reported'
  | DecidedOutcome
  | 'banned'
  | 'unbanned'
  | 'muted'
  | 'unmuted'
  | 'trusted'
  | 'untrusted'
  | 'putOnHold'
  | 'takenOffHold'

/** What happened once, or several times on one day in the same place. */
export interface TimelineEntry {
  act: TimelineAct
  /** When it happened last. */
  at: string
  /** As `YYYY-MM-DD` in the caller's zone. */
  day: string
  count: number
  /** What was written, reported or decided on. */
  subjectType?: 'comment' | 'post' | 'message' | 'user'
  /** Absent for what belongs to none, such as posts on the person's own feed. */
  space?: BanSpace & { displayName: string }
  /** Absent where a time was over, or for a program. */
  by?: Named
  reason?: string
  /** Of a ban, mute or treatment that was given an end. */
  endsAt?: string
}

/** The latest first. `before` leads to what happened earlier; absent at the start. */
export interface Timeline {
  entries: TimelineEntry[]
  before?: string
}

/** What the caller may do with this person, across the network. */
export interface PersonActs {
  ban: boolean
  unban: boolean
  /** In at least one of their spaces. */
  mute: boolean
  /** To have what they write published at once, or held, in at least one community or everywhere. */
  treatment: boolean
  warn: boolean
  note: boolean
  export: boolean
  erase: boolean
}

/** What is known about a person, list by list. */
export interface PersonLists {
  communities: Page<CommunitySpace>
  channels: Page<ChannelSpace>
  bans: Page<BanRecord>
  mutes: Page<MuteRecord>
  content: Page<ContentRecord>
  decisionsAbout: Page<DecisionRecord>
  decisionsBy: Page<DecisionRecord>
  flagsOn: Page<FlagRecord>
  flagsBy: Page<FlagRecord>
  notes: Page<Note>
}

/** Everything that the caller may see about a person on one page: the first page of each list. */
export interface Person extends PersonLists {
  user: User
  files: File[]
  /** Whether they have a staff account. */
  isStaff: boolean
  /** What becomes of what they write, by the treatments in force that the caller may know of, widest first. */
  treatments: TreatmentInForce[]
  /** The number of their items that are held now, and of decisions about them that are in effect. */
  itemCounts: { held: number; approved: number; rejected: number }
  /** Of the last 90 days. */
  strikes: number
  /** Set once somebody had them erased; finished when none of their data is left. */
  erasure?: { requestedAt: string; finishedAt?: string }
  allowed: PersonActs
}

/** The reason is for the log: up to 500 characters. */
export const ExportInput = z.object({
  userId: AnyUserId,
  reason: visibleText({ max: 500 }),
})
export type ExportInput = z.output<typeof ExportInput>

/** A link to an export. */
export const ExportLink = LinkSignature.extend({ userId: AnyUserId })
export type ExportLink = z.output<typeof ExportLink>

/** Erases a person. It cannot be undone, so the person's id has to be typed again. */
export const EraseInput = z
  .object({ userId: AnyUserId, confirmation: text({ max: 900 }) })
  .refine(({ userId, confirmation }) => confirmation === userId, {
    path: ['confirmation'],
    message: 'must match userId',
  })
export type EraseInput = z.output<typeof EraseInput>

/** What an erasure would take with it, each exact up to 1,000; 1,001: more. Deleted content is included. */
export interface ErasureCounts {
  comments: number
  posts: number
  messages: number
  /** About them or about what they wrote. */
  openReports: number
}
