import { z } from 'zod'
import { CalendarDate, TimeZone } from '#server/core/calendar.ts'
import { TOKEN_LENGTH, wholeNumber } from '#server/core/paging.ts'
import { boundedString, ResourceId, text } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'
import { User } from '#server/modules/accounts/users/schema.ts'
import { Comment } from '#server/modules/content/comments/schema.ts'
import { File } from '#server/modules/media/files/schema.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import { CommunityId, CommunityUser } from '#server/modules/spaces/communities/schema.ts'
import type { BanInForce } from '#server/modules/spaces/sanctions/schema.ts'

/** A reason for a decision, in words (docs/interface/review-queue.md#approve-or-decline). */
export const Reason = text({ max: 250 })

const WrittenBetween = {
  /** Length up to 900; restricts to comments written on that post. */
  postId: text({ max: 900 }).optional(),
  /** First and last day on which a comment was written, whole days of `timeZone`. */
  startDate: CalendarDate.optional(),
  endDate: CalendarDate.optional(),
  timeZone: TimeZone.default('UTC'),
}

export function startsBeforeItEnds(filter: { startDate?: string | undefined; endDate?: string | undefined }): boolean {
  return filter.startDate === undefined || filter.endDate === undefined || filter.startDate <= filter.endDate
}
export const ENDS_TOO_EARLY = { path: ['endDate'], message: 'must not be before startDate' }

/**
 * docs/interface/review-queue.md#parameters: by skip and limit (1 to 100, default 10). `options.token` is checked for its length and
 * otherwise ignored: the endpoint has no scrollable form.
 */
export const ReviewQueueQuery = z
  .object({
    ...WrittenBetween,
    options: z
      .object({
        limit: wholeNumber({ min: 1, max: 100 }).default(10),
        skip: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }).default(0),
        token: boundedString({ max: TOKEN_LENGTH }).optional(),
      })
      .prefault({}),
  })
  .refine(startsBeforeItEnds, ENDS_TOO_EARLY)
export type ReviewQueueQuery = z.output<typeof ReviewQueueQuery>

export const ReviewQueueParams = z.object({ communityId: CommunityId })

/** The response of docs/interface/review-queue.md#response, newest request first. */
export const ReviewQueueAnswer = z
  .object({
    comments: z.array(Comment),
    commentChildren: z.array(Comment),
    communityUsers: z.array(CommunityUser),
    users: z.array(User),
    files: z.array(File),
  })
  .meta({ id: 'ReviewQueue' })
export type ReviewQueueAnswer = z.output<typeof ReviewQueueAnswer>

/** What is decided on: comments and posts that are held, and these, messages and people that were reported. */
export const SubjectType = z.enum(['comment', 'post', 'message', 'user'])
export type SubjectType = z.output<typeof SubjectType>
export const Subject = z.object({ subjectType: SubjectType, subjectId: ResourceId })
export type Subject = z.output<typeof Subject>

/** What waits for anyone, what somebody asked others to look at, and what people have reported. */
export const QueueView = z.enum(['waiting', 'escalated', 'reported'])
export type QueueView = z.output<typeof QueueView>

/** What the desk's queue is narrowed by; without a community it is every one the caller reviews. */
export const DeskFilterFields = {
  view: QueueView.default('waiting'),
  communityId: CommunityId.optional(),
  /** One kind only. With `postId` it is comments in any case. What is reported is narrowed by kind and community alone. */
  kind: SubjectType.optional(),
  ...WrittenBetween,
  authorId: text({ min: 1, max: 900 }).optional(),
  /** Words as they stand, in any case; nothing in them has a meaning of its own. */
  text: text({ min: 1, max: 200 }).optional(),
  hasMedia: z.boolean().optional(),
  isFlagged: z.boolean().optional(),
  /** Held for at least so many minutes; up to ten years. */
  heldForMinutes: z.int().min(1).max(5_256_000).optional(),
  /** Held for less than so many minutes. */
  heldUnderMinutes: z.int().min(1).max(5_256_000).optional(),
}

export const DeskFilter = z.object(DeskFilterFields).refine(startsBeforeItEnds, ENDS_TOO_EARLY)
export type DeskFilter = z.output<typeof DeskFilter>

export const QueueOrder = z.enum(['newest', 'oldest'])
export type QueueOrder = z.output<typeof QueueOrder>

/** The desk's queue, page by page: `cursor` is the `next` of the page before. */
export const DeskQueueInput = z
  .object({
    ...DeskFilterFields,
    order: QueueOrder.default('newest'),
    limit: z.int().min(1).max(100).default(50),
    cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
  })
  .refine(startsBeforeItEnds, ENDS_TOO_EARLY)
export type DeskQueueInput = z.output<typeof DeskQueueInput>

/** Any part of a name or an id. */
export const FindAuthorsInput = z.object({ name: text({ min: 1, max: 100 }) })
export type FindAuthorsInput = z.output<typeof FindAuthorsInput>

/** Somebody who wrote what waits. */
export interface HeldAuthor {
  userId: string
  displayName: string
}

export const HeldOutcome = z.enum(['approved', 'rejected'])
export type HeldOutcome = z.output<typeof HeldOutcome>
/** Of a report: its flags are cleared and the subject stays, or the subject is deleted. */
export const ReportOutcome = z.enum(['dismissed', 'deleted'])
export type ReportOutcome = z.output<typeof ReportOutcome>
export const Outcome = z.enum([...HeldOutcome.options, ...ReportOutcome.options])
export type Outcome = z.output<typeof Outcome>

/** One row of the desk's queue. Times are ISO 8601, UTC. */
export interface QueueItem extends Subject {
  /** What one decides on: the version one saw. Of what is reported it is the report's. */
  version: number
  /** Of a post that has one; of a person, their name. */
  title?: string
  text: string
  dataTypes: string[]
  writtenAt: string
  /** Of what is reported: when it was flagged last. */
  heldAt: string
  flagCount: number
  isReply: boolean
  author: { userId: string; displayName: string }
  /** Absent for what stands outside of any, and for messages and people. */
  community?: { communityId: string; displayName: string }
  /** Of a message. */
  channel?: { channelId: string; displayName: string }
  /** Set where it stands in a conversation that the caller has to open first, with a reason: its text is left out. */
  isClosed?: boolean
  /** Why people reported it, each reason once; of what is shown in that view. */
  reasons?: string[]
  /** Of a comment: the post it stands on. */
  postId?: string
  /** Set while it is escalated. */
  escalation?: Escalated
  /** What the caller may do with it; empty where it is their own work. */
  allowed: Outcome[]
}

/** Who asked others to look at an item, and why; `handedTo` is the one person who is to do it. */
export interface Escalated {
  escalationId: string
  note: string
  by: { userId: string; displayName: string }
  at: string
  handedTo?: { userId: string; displayName: string }
}

export interface QueuePage {
  items: QueueItem[]
  next?: string
  /** The names behind the ids one filtered by. */
  narrowedTo: {
    community?: { communityId: string; displayName: string }
    post?: { postId: string; title: string }
    author?: { userId: string; displayName: string }
  }
}

/** How many wait: exact, as of the answer. What is escalated, and what is reported, is counted by itself. */
export interface QueueCounts {
  total: number
  escalated: number
  reported: number
  communities: CommunityCount[]
}
export interface CommunityCount {
  communityId: string
  displayName: string
  /** Comments and posts together. */
  held: number
  /** Whether anything new is still held here; where not, what is held is a backlog left behind. */
  isHolding: boolean
}

/** How many match the filter: exact up to 10,000, beyond that a lower bound. */
export interface MatchingCount {
  count: number
  isLowerBound: boolean
}

export interface PastDecision extends Subject {
  decisionId: string
  outcome: Outcome
  reason?: string
  decidedAt: string
  decidedByName: string
  /** The beginning of what was decided. */
  excerpt: string
  /** An approval that still stands, and that the caller may make into a rejection. */
  isReversible: boolean
}

export interface HistoryEntry {
  what: 'written' | 'edited' | 'held' | 'reported' | 'escalated' | Outcome | 'reversed' | 'undone'
  at: string
  by?: string
  reason?: string
}

/** Another comment or a post shown for context. */
export interface Quoted {
  id: string
  authorName: string
  text: string
  writtenAt: string
  approvalStatus?: 'pending' | 'approved' | 'rejected'
  isDeleted: boolean
}

/** What somebody reported it for. `isCleared` where a moderator has dealt with it since. */
export interface ShownFlag {
  by: { userId: string; displayName: string }
  reason: string
  detail?: string
  at: string
  isCleared: boolean
}

/** Everything one needs to judge what is held or reported. */
export interface ReviewItem {
  item: QueueItem
  /** What is attached to it. */
  files: File[]
  /** Those it names: their ids and names. */
  mentioned: { userId: string; displayName: string }[]
  /** Set where it no longer waits: who decided what. */
  decided?: Pick<PastDecision, 'outcome' | 'decidedByName' | 'decidedAt' | 'reason' | 'isReversible'>
  /** Whether it is still to be decided on. */
  isWaiting: boolean
  /** Of what is held: whether its community still holds what is new of its kind. */
  isHolding?: boolean
  /** Of a comment: what it answers, and the post it stands on. */
  parent?: Quoted
  post?: Quoted & { title?: string }
  /** Replies to a comment, comments on a post: that wait behind it, and that everyone sees. */
  replies: { held: number; visible: number }
  author: {
    userId: string
    displayName: string
    since: string
    isGlobalBan: boolean
    /** In force, as far as the caller may know of them; the widest first. */
    bans: BanInForce[]
    /** What colleagues wrote about them, newest first. */
    notes: Note[]
    communities: { communityId: string; displayName: string; isBanned: boolean; roles: string[] }[]
    /** Other comments and posts of theirs that wait, among those the caller reviews. */
    otherHeld: number
    /** On them, among those the caller reviews; the latest 20, newest first. */
    decisions: { approved: number; rejected: number; latest: PastDecision[] }
  }
  history: HistoryEntry[]
  /** Who reported it and why; the latest 50, newest first. */
  flags: ShownFlag[]
  /** Of a message: what was said just before and after it, where the caller may read that. */
  around?: { before: Quoted[]; after: Quoted[] }
  /** What was decided before on the same words, wherever they stood, newest first, among those the caller reviews. */
  sameWords: SameWords[]
}

/** The conversation an item stands in: what it answers, up to the post, and what stands nearest around it. */
export interface Thread {
  post?: Quoted & { title?: string }
  /** From the first to the one it answers. */
  parents: Quoted[]
  /** The item itself, where it is a comment. */
  item?: Quoted
  /** What answers the same as it: the nearest before and after it, in the order they were written. */
  before: Quoted[]
  after: Quoted[]
  /** What answers it, or stands on the post: the first of them. */
  replies: Quoted[]
  /** Whether there is more than these. */
  hasMore: { before: boolean; after: boolean; replies: boolean }
}

export interface SameWords extends Subject {
  outcome: Outcome
  reason?: string
  decidedAt: string
  decidedByName: string
  community: { communityId: string; displayName: string }
}

/** An item as it is held; or by its report, where there is one. */
export const ItemInput = Subject.extend({ isReported: z.boolean().optional() })
export type ItemInput = z.output<typeof ItemInput>

/** Why one reads what was said in a conversation; kept in the log. */
export const OpenConversationInput = z.object({
  messageId: ResourceId,
  reason: text({ min: 1, max: 250 }).refine((reason) => reason.trim() !== '', 'must not be blank'),
})
export type OpenConversationInput = z.output<typeof OpenConversationInput>

export const DecideInput = Subject.extend({
  outcome: Outcome,
  /** The version one saw; what was edited or decided since is refused with CHANGED. */
  version: Version,
  /** One of the managed reasons, and words of one's own. */
  reasonId: text({ min: 1, max: 100 }).optional(),
  reason: Reason.optional(),
  /** The caller's own name for this decision: sent twice, it is made once and answered alike. */
  clientKey: text({ min: 1, max: 100 }).optional(),
})
export type DecideInput = z.output<typeof DecideInput>

/** Makes an approval into a rejection. */
export const ReverseInput = DecideInput.omit({ outcome: true })
export type ReverseInput = z.output<typeof ReverseInput>

/** What both doors say of a decision. Over REST the version may be left out: what waits now is then what is decided. */
export interface Deciding {
  outcome: Outcome
  version?: number | undefined
  reasonId?: string | undefined
  reason?: string | undefined
  clientKey?: string | undefined
  /** The bulk it is a part of. */
  bulkId?: string | undefined
}

/** Over REST one may say why, and which version one saw. */
export const DecisionBody = z.object({ reason: Reason.optional(), version: Version.optional() }).nullish()

export interface Decided extends Subject {
  decisionId: string
  outcome: Outcome
  /** Its version now. */
  version: number
  /** Until when it can be taken back and nobody outside hears of it. */
  undoUntil: string
}

export const UndoInput = z.object({ decisionId: z.string().regex(/^\d{1,18}$/) })
export type UndoInput = z.output<typeof UndoInput>

export interface Undone extends Subject {
  version: number
}

/** Why one's own rejection was made, said while nobody outside has heard of it: a managed reason, words of one's own, or both. */
export const GiveReasonInput = UndoInput.extend({
  reasonId: text({ min: 1, max: 100 }).optional(),
  reason: Reason.refine((words) => words.trim() !== '', 'must not be blank').optional(),
}).refine(({ reasonId, reason }) => reasonId !== undefined || reason !== undefined, 'reasonId or reason is required')
export type GiveReasonInput = z.output<typeof GiveReasonInput>

export interface GivenReason extends Subject {
  /** In words. */
  reason: string
}

/** What a reviewer learns when an item is no longer as they saw it (docs/interface/review-queue.md#conflicts). */
export interface ChangedFacts {
  decision?: Outcome
  decidedBy?: string
  decidedByName?: string
  decidedAt?: string
  version: number
}
