import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { excerptOf, LONG_EXCERPT_LENGTH, matchOf } from '#server/core/excerpt.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { IS_HELD, IS_PENDING } from '#server/modules/content/items/held.ts'
import { IS_ON_NOTHING } from '#server/modules/content/items/place.ts'
import { NO_TEXT_KEY } from '#server/modules/content/items/text-key.ts'
import { type ClaimedRow, claimantOf, toClaim } from '#server/modules/review/decisions/may-decide.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { Urgency } from '#server/modules/review/urgency/schema.ts'
import type { ReviewReason, RuleReason } from '#server/modules/rules/judging/schema.ts'

/** Groups of the same text are counted exactly up to this many. */
const ALIKE_COUNTED = 1_000

/** An approved item that can be reversed into a rejection: conditions on `comment c` and `post p`. */
export const IS_APPROVED_COMMENT = sql`c.approval_status = 'approved' and not c.is_deleted`
export const IS_APPROVED_POST = sql`p.feed_type = 'published' and not p.is_deleted`

/** A rejected item that can be restored if rules rejected it: the same. What its author has deleted stays deleted. */
export const IS_RESTORABLE_COMMENT = sql`c.approval_status = 'rejected' and c.is_deleted and c.withdrawn_at is null and not ${IS_ON_NOTHING}`
export const IS_RESTORABLE_POST = sql`p.feed_type = 'declined' and not p.is_deleted`

const heldItem = (waits: Sql) => sql`
  i.subject_type, i.subject_id, i.version, i.title, i.text, i.data_types, i.written_at as created_at, i.placed_at as queued_at, i.flag_count,
  i.is_reply, i.post_id, ${waits} as waits, i.author_id as user_id, i.community_id, i.text_key, i.claimed_by, i.claimed_until,
  i.escalated_at, i.escalated_by, i.escalated_by_name, i.escalation_note, i.handed_to`

/** What a held item is, selected from `review_item i`. */
export const HELD_ITEM = heldItem(IS_PENDING)

/** `HELD_ITEM` where all are known to be pending: a page would else look up the community of each row. */
export const PENDING_ITEM = heldItem(sql`true`)

/** What makes `review_item i` urgent, for `toQueueItem`. */
export const URGENCY = sql`i.target_minutes, i.rule_minutes, i.signal_minutes, i.reach_minutes`

interface Naming {
  /** With how many are held with the same text, which means nothing for what is not held. */
  isCounted?: boolean
  /** The items have a `community_name` already. */
  isPlaced?: boolean
  /** Further columns. */
  more?: Sql
}

/**
 * What `toQueueItem` reads: these items, with the names of their author, their community, their claimant, and the colleague they are handed to.
 */
export function namedItems(items: Sql, { isCounted = false, isPlaced = false, more = sql.empty }: Naming = {}): Sql {
  return sql`
    select item.*, u.display_name, ${isPlaced ? sql.empty : sql`${communityName(sql`k`)},`}
      ${claimantOf(sql`item`, { authorId: sql`item.user_id` })} as claimed_by_name, ${isCounted ? ALIKE : sql`1`} as alike_count,
      (select h.display_name from network_user h where h.user_id = item.handed_to) as handed_to_name ${more}
    from (${items}) item join network_user u on u.user_id = item.user_id ${isPlaced ? sql.empty : COMMUNITY}`
}

/** How many are held with the same text, up to one more than are counted exactly. Uses review_item_alike. */
const ALIKE = sql`case when item.text_key <> ${NO_TEXT_KEY}::uuid then (
  select count(*)::int from (
    select from review_item i where i.text_key = item.text_key and ${IS_HELD} ${atMost(ALIKE_COUNTED + 1)}) alike) else 1 end`

export function communityName(community: Sql): Sql {
  return sql`coalesce(nullif(${community}.display_name, ''), ${community}.community_id) as community_name`
}

/** Looked up by its key, however few communities the planner believes there are. */
const COMMUNITY = sql`cross join lateral (select * from community where community_id = item.community_id offset 0) k`

export interface ItemRow extends ClaimedRow, EscalatedRow, Partial<Urgency> {
  subjectType: SubjectType
  subjectId: string
  version: number
  title: string | null
  text: string | null
  dataTypes: string[]
  createdAt: Date
  queuedAt: Date
  flagCount: number
  isReply: boolean
  postId: string | null
  waits: boolean
  userId: string
  displayName: string | null
  communityId: string
  communityName: string
  textKey: string | null
  alikeCount: number
  /** Only where items are filtered by a signal. */
  score?: number | null
  /** Both only for an item that is read by itself. */
  reviewReasons?: ReviewReason[] | null
  highlights?: RuleReason[] | null
  claimedByName: string | null
}

/** Its whole title and text. */
export const wholeTexts = ({ title, text }: Pick<ItemRow, 'title' | 'text'>) => ({
  title: title || undefined,
  text: text ?? '',
})

/** How much of a text is needed. */
export interface TextsWanted {
  /** What the list is searched for. */
  words?: string | undefined
  /** For a file: all of it. */
  isWhole?: boolean
}

/** A title and a text as rows have them. */
export function textsOf(
  { title, text }: { title: string | undefined; text: string },
  { words, isWhole = false }: TextsWanted,
): Pick<QueueItem, 'title' | 'text' | 'isCut' | 'match'> {
  if (isWhole) return { title, text }
  const shown = {
    title: title && excerptOf(title, LONG_EXCERPT_LENGTH),
    text: excerptOf(text, LONG_EXCERPT_LENGTH) ?? '',
  }
  const isCut = (shown.title ?? '') !== (title ?? '').trim() || shown.text !== text.trim()
  return { ...shown, ...(isCut && { isCut }), match: words === undefined ? undefined : matchOf(text, words) }
}

/** One row of the queue; authors may not decide on their own work. */
export function toQueueItem(ctx: Ctx, row: ItemRow, wanted: TextsWanted = {}): QueueItem {
  return {
    kind: 'held',
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    version: row.version,
    ...textsOf(wholeTexts(row), wanted),
    dataTypes: row.dataTypes,
    writtenAt: timestampOf(row.createdAt),
    heldAt: timestampOf(row.queuedAt),
    flagCount: row.flagCount,
    isReply: row.isReply,
    author: { userId: row.userId, displayName: nameOf(row) },
    community: { communityId: row.communityId, displayName: row.communityName },
    postId: row.postId ?? undefined,
    urgency: row.waits ? toUrgency(row) : undefined,
    score: row.score ?? undefined,
    reviewReasons: row.reviewReasons ?? undefined,
    highlights: row.highlights ?? undefined,
    alike: isOfGroup(row) ? { key: row.textKey, count: row.alikeCount } : undefined,
    escalation: row.waits ? toEscalated(row) : undefined,
    claim: row.waits ? toClaim(ctx, row) : undefined,
    allowed: row.waits && row.userId !== actingUserId(ctx) ? ['approved', 'rejected'] : [],
  }
}

function toUrgency({ targetMinutes, ruleMinutes, signalMinutes, reachMinutes }: Partial<Urgency>): Urgency | undefined {
  if (targetMinutes === undefined) return undefined
  return {
    targetMinutes,
    ruleMinutes: ruleMinutes ?? null,
    signalMinutes: signalMinutes ?? null,
    reachMinutes: reachMinutes ?? null,
  }
}

/** Escalated items are in a list of their own. */
function isOfGroup(row: ItemRow): row is ItemRow & { textKey: string } {
  return row.textKey !== null && row.alikeCount > 1 && row.waits && row.escalatedAt === null
}

interface EscalatedRow {
  escalationNote: string | null
  escalatedBy: string | null
  escalatedByName: string | null
  escalatedAt: Date | null
  handedTo: string | null
  handedToName: string | null
}

/** Who escalated an item or a report, when and why, and the colleague it is handed to. */
export function toEscalated(row: EscalatedRow): QueueItem['escalation'] {
  const { escalatedAt, handedTo, escalatedBy } = row
  if (escalatedAt === null) return undefined
  const by = escalatedBy ?? ''
  return {
    note: row.escalationNote ?? '',
    by: { userId: by, displayName: row.escalatedByName ?? by },
    at: timestampOf(escalatedAt),
    ...(handedTo !== null && {
      handedTo: { userId: handedTo, displayName: nameOf({ userId: handedTo, displayName: row.handedToName }) },
    }),
  }
}

/** A post's own title, if its data has one. */
export function titleOf({ data }: { data: Record<string, unknown> | null }): string | undefined {
  return typeof data?.title === 'string' && data.title !== '' ? data.title : undefined
}
