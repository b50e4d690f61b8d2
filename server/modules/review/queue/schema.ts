import { z } from 'zod'
import { CalendarDate, TimeZone } from '#server/core/calendar.ts'
import { TOKEN_LENGTH, wholeNumber } from '#server/core/paging.ts'
import { boundedString, ResourceId, text } from '#server/core/text.ts'
import { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { type Claim, ItemKind, type Outcome, Subject, SubjectType } from '#server/modules/review/decisions/schema.ts'
import type { Urgency } from '#server/modules/review/urgency/schema.ts'
import { SignalName } from '#server/modules/rules/conditions/schema.ts'
import type { ReviewReason, RuleReason } from '#server/modules/rules/judging/schema.ts'
import { RuleLabel } from '#server/modules/rules/registry/schema.ts'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'

const WrittenBetween = {
  /** Length up to 900; restricts to comments written on that post. */
  postId: text({ max: 900 }).optional(),
  /** First and last day on which a comment was written, whole days of `timeZone`. */
  startDate: CalendarDate.optional(),
  endDate: CalendarDate.optional(),
  timeZone: TimeZone.default('UTC'),
}

export function areDatesInOrder(filter: { startDate?: string | undefined; endDate?: string | undefined }): boolean {
  return filter.startDate === undefined || filter.endDate === undefined || filter.startDate <= filter.endDate
}
export const DATES_NOT_IN_ORDER = { path: ['endDate'], message: 'must not be before startDate' }

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
  .refine(areDatesInOrder, DATES_NOT_IN_ORDER)
export type ReviewQueueQuery = z.output<typeof ReviewQueueQuery>

export const ReviewQueueParams = z.object({ communityId: CommunityId })

/** The response of docs/interface/review-queue.md#response, newest request first. */
export const ReviewQueueAnswer = z.object(CommentsEnvelope.shape).meta({ id: 'ReviewQueue' })
export type ReviewQueueAnswer = z.output<typeof ReviewQueueAnswer>

/** What is pending, and as which kind: as a held item, if nothing else is said. */
export const PendingItem = Subject.extend({ kind: ItemKind.optional() })
export type PendingItem = z.output<typeof PendingItem>

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
export function isScoreRangeValid({ signal, scoreFrom, scoreUnder }: OfSignal): boolean {
  return (
    (signal !== undefined || (scoreFrom === undefined && scoreUnder === undefined)) &&
    (scoreFrom ?? 0) < (scoreUnder ?? 1)
  )
}
export const INVALID_SCORE_RANGE = {
  path: ['scoreFrom'],
  message: 'must be less than scoreUnder, and both are bounds of a signal',
}

export const DeskFilter = z
  .object(DeskFilterFields)
  .refine(areDatesInOrder, DATES_NOT_IN_ORDER)
  .refine(isScoreRangeValid, INVALID_SCORE_RANGE)
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
export function isOrderAllowed({ view, order, signal }: Ordered): boolean {
  if (order === 'score') return view === 'waiting' && signal !== undefined
  return order !== 'urgent' || view === 'waiting'
}
export const ORDER_NOT_ALLOWED = {
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
  .refine(areDatesInOrder, DATES_NOT_IN_ORDER)
  .refine(isScoreRangeValid, INVALID_SCORE_RANGE)
  .refine(isOrderAllowed, ORDER_NOT_ALLOWED)
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

/** One row of the desk's queue. Times are ISO 8601, UTC. */
export interface QueueItem extends Subject {
  kind: ItemKind
  /** The version to send with a decision: the item's, or in the reported view the report's. */
  version: number
  /** A post's title, if it has one; a person's name. Its beginning, as of the text. */
  title?: string | undefined
  text: string
  /** Set if there is more of either: an item that is read by itself has all of it. */
  isCut?: boolean
  /** In a list that is filtered by a text: the part of the text with it, where it isn't in the beginning. */
  match?: string | undefined
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
  /** Set for a report of what its author has deleted since. */
  isWithdrawn?: boolean
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
  highlights?: RuleReason[]
  /** In the list of waiting items: set if more than one of this type and community is held with the same text (docs/decisions/0198). */
  alike?: Alike
  /** Set while it is escalated. */
  escalation?: Escalated
  /** Set while a moderator has claimed it (docs/decisions/0199-leases-and-claims.md). */
  claim?: Claim
  /** What the caller may do with it; empty if it is their own work. */
  allowed: Outcome[]
}

/** Items with the same text: equal keys belong together. `count` includes the item itself: exact at the time of the response up to 1,000; 1,001: more. */
export interface Alike {
  key: string
  count: number
}

/** Who escalated an item, and why; `handedTo` is its assignee. */
export interface Escalated {
  note: string
  by: { userId: string; displayName: string }
  at: string
  handedTo?: { userId: string; displayName: string }
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
  /** Whether new items are still held here, all or those that live rules find; if not, the held items are a backlog. */
  isHolding: boolean
}

/** How many match the filter: exact up to 10,000, above that a lower bound. */
export interface MatchingCount {
  count: number
  isLowerBound: boolean
}
