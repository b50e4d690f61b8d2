import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import type { QueueItem, SubjectType } from '#server/modules/review/queue/schema.ts'

/** An approved item that can be reversed into a rejection: conditions on `comment c` and `post p`. */
export const IS_APPROVED_COMMENT = sql`c.approval_status = 'approved' and not c.is_deleted`
export const IS_APPROVED_POST = sql`p.feed_type = 'published' and not p.is_deleted`

/**
 * What `toQueueItem` reads, selected from `comment c`, its author `network_user u` and its community `k`, beside `ESCALATION`.
 */
export const COMMENT_ITEM = sql`
  'comment' as "subjectType", c.comment_id as "subjectId", c.version, c.data, c.data_types as "dataTypes", c.created_at as "createdAt",
  c.queued_at as "queuedAt", c.flag_count as "flagCount", c.parent_id is not null as "isReply",
  case c.reference_type when 'post' then c.reference_id end as "postId",
  c.approval_status = 'pending' and not c.is_deleted as "waits",
  u.user_id as "userId", u.display_name as "displayName", k.community_id as "communityId",
  coalesce(nullif(k.display_name, ''), k.community_id) as "communityName"`

/** The same for `post p`; a post includes its attachments. */
export const POST_ITEM = sql`
  'post' as "subjectType", p.post_id as "subjectId", p.version, p.data,
  array(select distinct child.data_type from post child where child.parent_post_id = p.post_id and child.data_type is not null)
    || coalesce(p.data_type, 'text') as "dataTypes",
  p.created_at as "createdAt", p.queued_at as "queuedAt", p.flag_count as "flagCount", false as "isReply", null as "postId",
  p.feed_type = 'reviewing' and not p.is_deleted as "waits",
  u.user_id as "userId", u.display_name as "displayName", k.community_id as "communityId",
  coalesce(nullif(k.display_name, ''), k.community_id) as "communityName"`

/** The open escalation `e` of an item, with the name of its assignee, `h`. */
export const ESCALATION = sql`
  e.escalation_id::text as "escalationId", e.note as "escalationNote", e.escalated_by as "escalatedBy",
  e.escalated_by_name as "escalatedByName", e.escalated_at as "escalatedAt", e.handed_to as "handedTo", h.display_name as "handedToName"`

export function escalationOf(type: SubjectType) {
  const id = type === 'comment' ? sql`c.comment_id` : sql`p.post_id`
  return sql`
    left join escalation e on e.subject_type = ${type}::subject_type and e.subject_id = ${id} and e.closed_at is null
    left join network_user h on h.user_id = e.handed_to`
}

export interface ItemRow {
  subjectType: SubjectType
  subjectId: string
  version: number
  data: Record<string, unknown> | null
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
  escalationId: string | null
  escalationNote: string
  escalatedBy: string
  escalatedByName: string
  escalatedAt: Date
  handedTo: string | null
  handedToName: string | null
}

/** One row of the queue; authors may not decide on their own work. */
export function toQueueItem(ctx: Ctx, row: ItemRow): QueueItem {
  const title = titleOf(row)
  return {
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    version: row.version,
    ...(row.subjectType === 'post' && title !== undefined && { title }),
    text: textOf(row),
    dataTypes: row.dataTypes,
    writtenAt: row.createdAt.toISOString(),
    heldAt: row.queuedAt.toISOString(),
    flagCount: row.flagCount,
    isReply: row.isReply,
    author: { userId: row.userId, displayName: nameOf(row) },
    community: { communityId: row.communityId, displayName: row.communityName },
    ...(row.postId !== null && { postId: row.postId }),
    ...(row.escalationId !== null && { escalation: toEscalated({ ...row, escalationId: row.escalationId }) }),
    allowed: row.waits && row.userId !== actingUserId(ctx) ? ['approved', 'rejected'] : [],
  }
}

function toEscalated(row: ItemRow & { escalationId: string }): NonNullable<QueueItem['escalation']> {
  return {
    escalationId: row.escalationId,
    note: row.escalationNote,
    by: { userId: row.escalatedBy, displayName: row.escalatedByName },
    at: row.escalatedAt.toISOString(),
    ...(row.handedTo !== null && {
      handedTo: { userId: row.handedTo, displayName: nameOf({ userId: row.handedTo, displayName: row.handedToName }) },
    }),
  }
}

/** A post's own title, if its data has one. */
export function titleOf({ data }: { data: Record<string, unknown> | null }): string | undefined {
  return typeof data?.title === 'string' && data.title !== '' ? data.title : undefined
}
