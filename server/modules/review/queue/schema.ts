import { z } from 'zod'
import { CalendarDate, TimeZone } from '#server/core/calendar.ts'
import { TOKEN_LENGTH, wholeNumber } from '#server/core/paging.ts'
import { boundedString, ResourceId, text } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'
import { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import type { Signal } from '#server/modules/content/signals/schema.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import type { Urgency } from '#server/modules/review/urgency/schema.ts'
import { SignalName } from '#server/modules/rules/conditions/schema.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'
import { RuleLabel } from '#server/modules/rules/registry/schema.ts'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'
import type { BanInForce, MuteInForce } from '#server/modules/spaces/sanctions/schema.ts'

/** A reason for a decision, as text (docs/interface/review-queue.md#approve-or-decline). */
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
 * docs/interface/review-queue.md#parameters: by skip and limit (1 to 100, default 10). The length of `options.token` is
 * validated; otherwise it is ignored, because the endpoint has no scrollable form.
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
export const ReviewQueueAnswer = z.object(CommentsEnvelope.shape).meta({ id: 'ReviewQueue' })
export type ReviewQueueAnswer = z.output<typeof ReviewQueueAnswer>

/** What can be decided on: held comments and posts, and reported comments, posts, messages and people. */
export const SubjectType = z.enum(['comment', 'post', 'message', 'user'])
export type SubjectType = z.output<typeof SubjectType>
export const Subject = z.object({ subjectType: SubjectType, subjectId: ResourceId })
export type Subject = z.output<typeof Subject>

/** Items open to all reviewers, what the caller has claimed, escalated items, and reported items. */
export const QueueView = z.enum(['waiting', 'mine', 'escalated', 'reported'])
export type QueueView = z.output<typeof QueueView>

/** Scores are found by twentieths (docs/decisions/0244-queue-by-rule-and-by-signal.md). */
const SCORE_BOUND = z.number().min(0.05).max(0.95).multipleOf(0.05)

/** The filters of the desk's queue; without a community it covers all that the caller reviews. */
export const DeskFilterFields = {
  view: QueueView.default('waiting'),
  communityId: CommunityId.optional(),
  /** One type only. `postId` always selects comments. The reported view supports only type and community. */
  kind: SubjectType.optional(),
  ...WrittenBetween,
  authorId: text({ min: 1, max: 900 }).optional(),
  /** Literal text, ignoring case, without any search syntax. */
  text: text({ min: 1, max: 200 }).optional(),
  hasMedia: z.boolean().optional(),
  isFlagged: z.boolean().optional(),
  /** Held for at least this many minutes; up to ten years. */
  heldForMinutes: z.int().min(1).max(5_256_000).optional(),
  /** Held for less than this many minutes. */
  heldUnderMinutes: z.int().min(1).max(5_256_000).optional(),
  /** Held by a rule that sends it to this queue. */
  queueId: ResourceId.optional(),
  /** Held by this rule, in any version. */
  ruleId: ResourceId.optional(),
  /** Held by rules with this label, in the version that fired. */
  label: RuleLabel.optional(),
  /** With a score of this signal: at least `scoreFrom`, and less than `scoreUnder`. */
  signal: SignalName.optional(),
  scoreFrom: SCORE_BOUND.optional(),
  scoreUnder: SCORE_BOUND.optional(),
}

interface OfSignal {
  signal?: string | undefined
  scoreFrom?: number | undefined
  scoreUnder?: number | undefined
}

/** Whether its bounds are those of a signal, and include something. */
export function hasItsSignal({ signal, scoreFrom, scoreUnder }: OfSignal): boolean {
  return (
    (signal !== undefined || (scoreFrom === undefined && scoreUnder === undefined)) &&
    (scoreFrom ?? 0) < (scoreUnder ?? 1)
  )
}
export const NOT_ITS_SIGNAL = {
  path: ['scoreFrom'],
  message: 'must be less than scoreUnder, and both are bounds of a signal',
}

export const DeskFilter = z
  .object(DeskFilterFields)
  .refine(startsBeforeItEnds, ENDS_TOO_EARLY)
  .refine(hasItsSignal, NOT_ITS_SIGNAL)
export type DeskFilter = z.output<typeof DeskFilter>

/** `urgent`: the most urgent first (docs/desk.md#most-urgent-first). `score`: the highest score of the filter's signal first. */
export const QueueOrder = z.enum(['newest', 'oldest', 'urgent', 'score'])
export type QueueOrder = z.output<typeof QueueOrder>

interface Ordered {
  view: QueueView
  order: QueueOrder
  signal?: string | undefined
}

/** Only items open to all reviewers are sorted by urgency and by score. */
export function hasItsOrder({ view, order, signal }: Ordered): boolean {
  if (order === 'score') return view === 'waiting' && signal !== undefined
  return order !== 'urgent' || view === 'waiting'
}
export const NOT_ITS_ORDER = {
  path: ['order'],
  message: 'urgent and score are only for waiting items, and score needs a signal',
}

/** A page of the desk's queue: `cursor` is the `next` of the previous page. */
export const DeskQueueInput = z
  .object({
    ...DeskFilterFields,
    order: QueueOrder.default('newest'),
    limit: z.int().min(1).max(100).default(50),
    cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
  })
  .refine(startsBeforeItEnds, ENDS_TOO_EARLY)
  .refine(hasItsSignal, NOT_ITS_SIGNAL)
  .refine(hasItsOrder, NOT_ITS_ORDER)
export type DeskQueueInput = z.output<typeof DeskQueueInput>

export const ListFacetsInput = z.object({ communityId: CommunityId.optional() })
export type ListFacetsInput = z.output<typeof ListFacetsInput>

/** What held items can be found by. */
export interface QueueFacets {
  rules: { ruleId: string; name: string }[]
  /** Those of the rules, as they were when these fired. */
  labels: string[]
  /** Their names. */
  signals: string[]
}

/** Any part of a name or an id. */
export const FindAuthorsInput = z.object({ name: text({ min: 1, max: 100 }) })
export type FindAuthorsInput = z.output<typeof FindAuthorsInput>

/** The author of a pending item. */
export interface HeldAuthor {
  userId: string
  displayName: string
}

export const HeldOutcome = z.enum(['approved', 'rejected'])
export type HeldOutcome = z.output<typeof HeldOutcome>
/** For a report: clears its flags and keeps the subject, or deletes the subject. */
export const ReportOutcome = z.enum(['dismissed', 'deleted'])
export type ReportOutcome = z.output<typeof ReportOutcome>
export const Outcome = z.enum([...HeldOutcome.options, ...ReportOutcome.options])
export type Outcome = z.output<typeof Outcome>

/** One row of the desk's queue. Times are ISO 8601, UTC. */
export interface QueueItem extends Subject {
  /** The version to send with a decision: the item's, or in the reported view the report's. */
  version: number
  /** A post's title, if it has one; a person's name. */
  title?: string
  text: string
  dataTypes: string[]
  writtenAt: string
  /** For reported items: when it was flagged last. */
  heldAt: string
  flagCount: number
  isReply: boolean
  author: { userId: string; displayName: string }
  /** Absent for content outside communities, and for messages and people. */
  community?: { communityId: string; displayName: string }
  /** For a message. */
  channel?: { channelId: string; displayName: string }
  /** Set if it is in a conversation that the caller has to open first, with a reason: its text is left out. */
  isClosed?: boolean
  /** The reasons people gave for reporting it, without duplicates: set for reports only. */
  reasons?: string[]
  /** For a comment: its post. */
  postId?: string
  /** Set for a held item where items are sorted by it, and for one that is read by itself. */
  urgency?: Urgency
  /** Its score of the signal that the list is filtered by. */
  score?: number
  /** For an item that is read by itself: the rules that hold it, rejected it or, for a report, flagged it; absent if there are none. */
  reviewReasons?: ReviewReason[]
  /** For an item that is read by itself: the rules that only highlight, and where they fired. */
  highlights?: ReviewReason[]
  /** In the list of waiting items: set if more than one of this type and community is held with the same text (docs/decisions/0198). */
  alike?: Alike
  /** Set while it is escalated. */
  escalation?: Escalated
  /** Set while a moderator has claimed it (docs/decisions/0199-claims.md). */
  claim?: Claim
  /** What the caller may do with it; empty if it is their own work. */
  allowed: Outcome[]
}

/** Items with the same text: equal keys belong together. `count` includes the item itself, and is exact at the time of the response. */
export interface Alike {
  key: string
  count: number
}

/** Who escalated an item, and why; `handedTo` is its assignee. */
export interface Escalated {
  escalationId: string
  note: string
  by: { userId: string; displayName: string }
  at: string
  handedTo?: { userId: string; displayName: string }
}

/** Who claimed an item, and until when, unless they release it or somebody decides on it. */
export interface Claim {
  by: { userId: string; displayName: string }
  until: string
}

export interface QueuePage {
  items: QueueItem[]
  next?: string
  /** The names behind the ids in the filter. */
  narrowedTo: {
    community?: { communityId: string; displayName: string }
    post?: { postId: string; title: string }
    author?: { userId: string; displayName: string }
    rule?: { ruleId: string; name: string }
  }
}

/** How many are pending: exact at the time of the response. Escalated and reported items are counted separately; the caller's claims are part of the others. */
export interface QueueCounts {
  total: number
  mine: number
  escalated: number
  reported: number
  communities: CommunityCount[]
}
export interface CommunityCount {
  communityId: string
  displayName: string
  /** Comments and posts together. */
  held: number
  /** Whether new items are still held here; if not, the held items are a backlog. */
  isHolding: boolean
}

/** How many match the filter: exact up to 10,000, above that a lower bound. */
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
  /** The first words of the item. */
  excerpt: string
  /** An approval that is still in force and that the caller may reverse. */
  isReversible: boolean
}

export interface HistoryEntry {
  what: 'written' | 'edited' | 'held' | 'reported' | 'escalated' | Outcome | 'reversed' | 'restored' | 'undone'
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

/** Something a reported person wrote, and where. */
export interface RecentContent extends Quoted {
  subjectType: Exclude<SubjectType, 'user'>
  spaceName?: string
}

/** A report by one person or rule. `isCleared` if a moderator has handled it since. */
export interface ShownFlag {
  by: { userId: string; displayName: string }
  /** Set if a rule flagged it: its version. `by` is the rule, with its current name. */
  ruleVersion?: number
  reason: string
  detail?: string
  at: string
  isCleared: boolean
}

/** Everything needed to judge a held or reported item. */
export interface ReviewItem {
  item: QueueItem
  /** Its attachments. */
  files: File[]
  /** The people it mentions: their ids and names. */
  mentioned: { userId: string; displayName: string }[]
  /** Set once it is no longer pending: who decided what. */
  decided?: Pick<PastDecision, 'outcome' | 'decidedByName' | 'decidedAt' | 'reason' | 'isReversible'> & {
    /** Set if rules rejected it: `decidedByName` has their names. */
    isByRules?: boolean
    /** Set for a rejection by rules that the caller may restore. */
    isRestorable?: boolean
  }
  /** Whether it is still pending. */
  isWaiting: boolean
  /** For held items: whether its community still holds new items of its type. */
  isHolding?: boolean
  /** Set while a rule that fired on it mutes its author: until when, the rule's name, and whether the caller may end it. */
  mute?: { endsAt: string; rule: string; mayEnd: boolean }
  /** For a comment: its parent, and its post. */
  parent?: Quoted
  post?: Quoted & { title?: string }
  /** Replies to a comment, or comments on a post: pending ones, and public ones. */
  replies: { held: number; visible: number }
  author: {
    userId: string
    displayName: string
    since: string
    isGlobalBan: boolean
    /** Active bans and mutes that the caller may see, widest first. */
    bans: BanInForce[]
    mutes?: MuteInForce[]
    /** Notes by colleagues about them, newest first. */
    notes: Note[]
    communities: { communityId: string; displayName: string; isBanned: boolean; roles: string[] }[]
    /** Their other pending comments and posts, among those the caller reviews. */
    otherHeld: number
    /** Decisions on their content, among those the caller reviews; the latest 20, newest first. */
    decisions: { approved: number; rejected: number; latest: PastDecision[] }
  }
  history: HistoryEntry[]
  /** Who reported it and why; the latest 50, newest first. */
  flags: ShownFlag[]
  /** What classifiers say of it, the highest score first. */
  signals: Signal[]
  /** For a message: the messages just before and after it, if the caller may read them. */
  around?: { before: Quoted[]; after: Quoted[] }
  /** For a reported person: their latest content, newest first, among what the caller reviews. */
  recent?: RecentContent[]
  /** Earlier decisions on the same text, in any space, newest first, among those the caller reviews. */
  sameWords: SameWords[]
}

/** The thread around an item: its parents, up to the post, and its nearest neighbours. */
export interface Thread {
  post?: Quoted & { title?: string }
  /** From the first comment to the item's parent. */
  parents: Quoted[]
  /** The item itself, if it is a comment. */
  item?: Quoted
  /** Siblings: the nearest before and after it, in the order written. */
  before: Quoted[]
  after: Quoted[]
  /** Its first replies, or the first comments on the post. */
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

/** An item as it is held, or by its report if it has one; with `isEscalated` or `isMine`, whichever of these was escalated or claimed. */
export const ItemInput = Subject.extend({
  isReported: z.boolean().optional(),
  isEscalated: z.boolean().optional(),
  isMine: z.boolean().optional(),
})
export type ItemInput = z.output<typeof ItemInput>

/** Why the caller opens a conversation; kept in the log. */
export const OpenConversationInput = z.object({
  messageId: ResourceId,
  reason: text({ min: 1, max: 250 }).refine((reason) => reason.trim() !== '', 'must not be blank'),
})
export type OpenConversationInput = z.output<typeof OpenConversationInput>

export const DecideInput = Subject.extend({
  outcome: Outcome,
  /** The version the caller saw; if it was edited or decided since, the decision fails with CHANGED. */
  version: Version,
  /** One of the managed reasons, and a custom text. */
  reasonId: text({ min: 1, max: 100 }).optional(),
  reason: Reason.optional(),
  /** The caller's own key for this decision: a repeated request is applied once and gets the same response. */
  clientKey: text({ min: 1, max: 100 }).optional(),
  /** Who had claimed the item when the caller saw it; if anyone else has claimed it, the decision fails with CHANGED. */
  despiteClaimOf: ResourceId.optional(),
})
export type DecideInput = z.output<typeof DecideInput>

/** Reverses an approval into a rejection, or restores what rules rejected. */
export const ReverseInput = DecideInput.omit({ outcome: true, despiteClaimOf: true })
export type ReverseInput = z.output<typeof ReverseInput>

/** What REST and the desk both send with a decision. Over REST the version is optional: the current version is then decided. */
export interface Deciding {
  outcome: Outcome
  version?: number | undefined
  reasonId?: string | undefined
  reason?: string | undefined
  clientKey?: string | undefined
  /** The bulk action it belongs to. */
  bulkId?: string | undefined
  /** The claimant the caller was warned of. */
  despiteClaimOf?: string | undefined
}

/** Over REST the reason and the version are optional. */
export const DecisionBody = z.object({ reason: Reason.optional(), version: Version.optional() }).nullish()

export interface Decided extends Subject {
  decisionId: string
  outcome: Outcome
  /** Its current version. */
  version: number
  /** Until when it can be undone; its event is not published before. */
  undoUntil: string
}

export const UndoInput = z.object({ decisionId: z.string().regex(/^\d{1,18}$/) })
export type UndoInput = z.output<typeof UndoInput>

export interface Undone extends Subject {
  version: number
}

/** Why the caller rejected something, given before the event is published: a managed reason, a custom text, or both. */
export const GiveReasonInput = UndoInput.extend({
  reasonId: text({ min: 1, max: 100 }).optional(),
  reason: Reason.refine((words) => words.trim() !== '', 'must not be blank').optional(),
}).refine(({ reasonId, reason }) => reasonId !== undefined || reason !== undefined, 'reasonId or reason is required')
export type GiveReasonInput = z.output<typeof GiveReasonInput>

export interface GivenReason extends Subject {
  /** As text. */
  reason: string
}

/** What a reviewer learns if an item has changed since they saw it (docs/interface/review-queue.md#conflicts). */
export interface ChangedFacts {
  decision?: Outcome
  decidedBy?: string
  decidedByName?: string
  decidedAt?: string
  /** It is still pending, but somebody else has claimed it. */
  claimedBy?: string
  claimedByName?: string
  claimedUntil?: string
  version: number
}
