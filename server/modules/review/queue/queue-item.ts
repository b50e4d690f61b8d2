import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { excerptOf, LONG_EXCERPT_LENGTH, matchOf } from '#server/core/excerpt.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { heldAlike } from '#server/modules/ledger/counts/held-texts.ts'
import { type ClaimedRow, claimantOfItem, toClaim } from '#server/modules/review/decisions/may-decide.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { Urgency } from '#server/modules/review/urgency/schema.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'

/** An approved item that can be reversed into a rejection: conditions on `comment c` and `post p`. */
export const IS_APPROVED_COMMENT = sql`c.approval_status = 'approved' and not c.is_deleted`
export const IS_APPROVED_POST = sql`p.feed_type = 'published' and not p.is_deleted`

/** What an item is, selected from `comment c`. */
export const COMMENT_ITEM = sql`
  'comment'::subject_type as subject_type, c.comment_id as subject_id, c.version, null as title, ${textIn(sql`c.data`, 'text')} as text,
  c.data_types, c.created_at, c.queued_at, c.flag_count, c.parent_id is not null as is_reply,
  case c.reference_type when 'post' then c.reference_id end as post_id, c.approval_status = 'pending' and not c.is_deleted as waits,
  c.user_id, c.community_id, c.text_key, c.claimed_by, c.claimed_until`

/** The same for `post p`; a post includes its attachments. */
export const POST_ITEM = sql`
  'post'::subject_type as subject_type, p.post_id as subject_id, p.version, ${textIn(sql`p.data`, 'title')} as title,
  ${textIn(sql`p.data`, 'text')} as text,
  array(select distinct child.data_type from post child where child.parent_post_id = p.post_id and child.data_type is not null)
    || coalesce(p.data_type, 'text') as data_types,
  p.created_at, p.queued_at, p.flag_count, false as is_reply, null as post_id, p.feed_type = 'reviewing' and not p.is_deleted as waits,
  p.posted_user_id as user_id, p.community_id, p.text_key, p.claimed_by, p.claimed_until`

/** What makes it urgent, for `toQueueItem`: columns of `comment c` or `post p`. */
export function urgencyColumns(alias: Sql): Sql {
  return sql`, ${alias}.target_minutes, ${alias}.rule_minutes, ${alias}.signal_minutes, ${alias}.reach_minutes`
}

/** The text under this key, where it is one. */
export function textIn(data: Sql, key: 'text' | 'title'): Sql {
  return sql`case jsonb_typeof(${data} -> ${sql.raw(`'${key}'`)}) when 'string' then ${data} ->> ${sql.raw(`'${key}'`)} end`
}

interface Naming {
  isEscalated?: boolean
  /** With how many are held with the same text, which means nothing for what is not held. */
  isCounted?: boolean
  /** The items have a `community_name` already. */
  isPlaced?: boolean
  /** Further columns. */
  more?: Sql
}

/**
 * What `toQueueItem` reads: these items, with the names of their author, their community and their claimant, and with their open escalation.
 * What comments and posts both have is looked up here once for both: each part of a statement costs at every execution, also where it is not read.
 */
export function namedItems(
  items: Sql,
  { isEscalated = true, isCounted = false, isPlaced = false, more = sql.empty }: Naming = {},
): Sql {
  return sql`
    select item.*, u.display_name, ${isPlaced ? sql.empty : sql`${communityName(sql`k`)},`}
      ${claimantOfItem()} as claimed_by_name, ${isCounted ? heldAlike(sql`item.text_key`) : sql`1`} as alike_count,
      ${isEscalated ? ESCALATION : sql`null as escalation_id`} ${more}
    from (${items}) item join network_user u on u.user_id = item.user_id
    ${isPlaced ? sql.empty : COMMUNITY} ${isEscalated ? OPEN_ESCALATION : sql.empty}`
}

export function communityName(community: Sql): Sql {
  return sql`coalesce(nullif(${community}.display_name, ''), ${community}.community_id) as community_name`
}

/** Looked up by its key, however few communities the planner believes there are. */
const COMMUNITY = sql`cross join lateral (select * from community where community_id = item.community_id offset 0) k`

const ESCALATION = sql`
  e.escalation_id::text as escalation_id, e.note as escalation_note, e.escalated_by, e.escalated_by_name, e.escalated_at, e.handed_to,
  h.display_name as handed_to_name`

const OPEN_ESCALATION = sql`
  left join escalation e on e.subject_type = item.subject_type and e.subject_id = item.subject_id and e.closed_at is null
  left join network_user h on h.user_id = e.handed_to`

export interface ItemRow extends ClaimedRow, Omit<EscalatedRow, 'escalationId'>, Partial<Urgency> {
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
  highlights?: ReviewReason[] | null
  escalationId: string | null
  escalationNote: string
  escalatedBy: string
  escalatedByName: string
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
    escalation: row.escalationId === null ? undefined : toEscalated({ ...row, escalationId: row.escalationId }),
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
  return row.textKey !== null && row.alikeCount > 1 && row.waits && row.escalationId === null
}

interface EscalatedRow {
  escalationId: string
  escalationNote: string | null
  escalatedBy: string | null
  escalatedByName: string | null
  escalatedAt: Date
  handedTo: string | null
  handedToName: string | null
}

/** Who escalated an item or a report, when and why, and the colleague it is handed to. */
export function toEscalated(row: EscalatedRow): NonNullable<QueueItem['escalation']> {
  const { handedTo, escalatedBy } = row
  const by = escalatedBy ?? ''
  return {
    escalationId: row.escalationId,
    note: row.escalationNote ?? '',
    by: { userId: by, displayName: row.escalatedByName ?? by },
    at: timestampOf(row.escalatedAt),
    ...(handedTo !== null && {
      handedTo: { userId: handedTo, displayName: nameOf({ userId: handedTo, displayName: row.handedToName }) },
    }),
  }
}

/** A post's own title, if its data has one. */
export function titleOf({ data }: { data: Record<string, unknown> | null }): string | undefined {
  return typeof data?.title === 'string' && data.title !== '' ? data.title : undefined
}
