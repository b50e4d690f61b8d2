import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { holds, mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import { mayModerateMessages } from '#server/modules/content/messages/lock-message.ts'
import { type ClaimedRow, claimantOf, toClaim } from '#server/modules/review/decisions/may-decide.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'
import { type TextsWanted, textsOf, titleOf, toEscalated } from '#server/modules/review/queue/queue-item.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { ReviewReason, RuleReason } from '#server/modules/rules/judging/schema.ts'
import { mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'

/** The space of a reported item, as SQL columns: a community, a channel, or neither. */
interface Space {
  type: Sql
  communityId: Sql
  channelId: Sql
}

/**
 * Whether the caller may review reports there, as an SQL condition: where they review, where they moderate messages, and
 * everywhere for network moderators; reported people are for those who may ban them.
 */
export function mayReviewReportsIn(ctx: Ctx, { type, communityId, channelId }: Space): Sql {
  const outside = sql`(${communityId} is null and ${holds(ctx, 'MANAGE_POST_AND_COMMENT')})`
  return sql`case ${type}
    when 'comment' then ${mayInCommunity(ctx, 'reviewComments', communityId)} or ${outside}
    when 'post' then ${mayInCommunity(ctx, 'reviewPosts', communityId)} or ${outside}
    when 'message' then exists (select from channel c where c.channel_id = ${channelId} and ${mayModerateMessages(ctx)})
    else ${holds(ctx, 'BAN_USER')} end`
}

/** Whether the caller may review the report `review_item i`, as an SQL condition. */
export function mayReviewReport(ctx: Ctx): Sql {
  return mayReviewReportsIn(ctx, {
    type: sql`i.subject_type`,
    communityId: sql`i.community_id`,
    channelId: sql`i.channel_id`,
  })
}

/** Whether the caller may have reports in spaces they are not a member of. */
export function mayReviewReportsAnywhere(ctx: Ctx): boolean {
  return EVERYWHERE.some((permission) => holds(ctx, permission))
}

const EVERYWHERE = [
  'MANAGE_POST_AND_COMMENT',
  'BAN_USER',
  'REVIEW_COMMUNITY_COMMENT',
  'REVIEW_COMMUNITY_POST',
  'DELETE_MESSAGE',
] as const

/** Selects what `toReportedItem` reads, `from` a report `review_item i` with its subject; `more` adds columns. */
export function selectReported(ctx: Ctx, { from, more = sql.empty }: { from: Sql; more?: Sql }): Sql {
  const community = sql`i.community_id`
  return sql`
    select i.subject_type, i.subject_id, i.version,
      coalesce(c.data, p.data, m.data, jsonb_build_object('title', u.display_name, 'text', u.description)) as data,
      coalesce(c.data_types, array_remove(array[coalesce(p.data_type, m.type)], null)) as data_types,
      coalesce(c.created_at, p.created_at, m.created_at, u.created_at) as created_at, i.placed_at as flagged_at,
      i.flag_count, coalesce(c.withdrawn_at, p.withdrawn_at, m.withdrawn_at) is not null as is_withdrawn,
      coalesce(c.parent_id, m.parent_id) as parent_id,
      case c.reference_type when 'post' then c.reference_id end as post_id, i.state = 'waiting' as waits,
      i.escalated_at, i.escalated_by, i.escalated_by_name, i.escalation_note,
      i.handed_to, h.display_name as handed_to_name, i.claimed_by, i.claimed_until, ${claimantOf(sql`i`, { authorId: sql`i.author_id`, channelId: sql`i.channel_id` })} as claimed_by_name,
      u.user_id, u.display_name, k.community_id,
      coalesce(nullif(k.display_name, ''), k.community_id) as community_name, ch.channel_id,
      coalesce(nullif(ch.display_name, ''), ch.channel_id) as channel_name,
      ch.type = 'conversation' and not ch.is_readable as is_closed,
      array(select distinct f.reason from flag f where f.subject_type = i.subject_type::subject_type and f.subject_id = i.subject_id
        and (f.cleared_at is null or i.state <> 'waiting') order by f.reason limit 9) as reasons,
      case i.subject_type
        when 'comment' then ${mayInCommunity(ctx, 'deleteComments', community)} or i.community_id is null and ${holds(ctx, 'DELETE_USER_FEED_COMMENT')}
        when 'post' then ${mayInCommunity(ctx, 'deletePosts', community)} or i.community_id is null and ${holds(ctx, 'DELETE_USER_FEED_POST')}
        when 'message' then true else false end as may_delete,
      case i.subject_type when 'user' then ${outranks(ctx, sql`u.user_id`, 'network')} else true end as may_dismiss ${more}
    from ${from} join network_user u on u.user_id = i.author_id
    left join comment c on i.subject_type = 'comment' and c.comment_id = i.subject_id
    left join post p on i.subject_type = 'post' and p.post_id = i.subject_id
    left join message m on i.subject_type = 'message' and m.message_id = i.subject_id
    left join community k on k.community_id = i.community_id
    left join network_user h on h.user_id = i.handed_to
    left join lateral (
      select c.channel_id, c.display_name, c.type, ${mayReadChannel(ctx)} as is_readable from channel c where c.channel_id = i.channel_id) ch on true`
}

export interface ReportedRow extends ClaimedRow {
  subjectType: SubjectType
  subjectId: string
  version: number
  data: Record<string, unknown> | null
  dataTypes: string[]
  createdAt: Date
  flaggedAt: Date
  flagCount: number
  isWithdrawn: boolean
  parentId: string | null
  postId: string | null
  waits: boolean
  userId: string
  displayName: string | null
  communityId: string | null
  communityName: string | null
  channelId: string | null
  channelName: string | null
  isClosed: boolean | null
  escalatedAt: Date | null
  escalatedBy: string | null
  escalatedByName: string | null
  escalationNote: string | null
  handedTo: string | null
  handedToName: string | null
  claimedByName: string | null
  reasons: string[]
  /** Only for an item that is read by itself: the rules that flagged it. */
  reviewReasons?: ReviewReason[] | null
  /** Only for an item that is read by itself: the rules that only highlight it. */
  highlights?: RuleReason[] | null
  mayDelete: boolean
  mayDismiss: boolean
}

/** One row of the reported view. The text of an item in a conversation the caller is not in is left out until they open it. */
export function toReportedItem(
  ctx: Ctx,
  row: ReportedRow,
  { isOpened = false, ...wanted }: TextsWanted & { isOpened?: boolean } = {},
): QueueItem {
  const isClosed = row.isClosed === true && !isOpened
  const isOwn = row.userId === actingUserId(ctx)
  const claim = row.waits ? toClaim(ctx, row) : undefined
  return {
    kind: 'reported',
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    version: row.version,
    ...textsOf(reportedTexts(row, { isOpened }), wanted),
    dataTypes: row.dataTypes,
    writtenAt: timestampOf(row.createdAt),
    heldAt: timestampOf(row.flaggedAt),
    flagCount: row.flagCount,
    isReply: row.parentId !== null,
    author: { userId: row.userId, displayName: nameOf(row) },
    ...(row.communityId !== null && {
      community: { communityId: row.communityId, displayName: row.communityName ?? row.communityId },
    }),
    ...(row.channelId !== null && {
      channel: { channelId: row.channelId, displayName: row.channelName ?? row.channelId },
    }),
    ...(isClosed && { isClosed }),
    ...(row.isWithdrawn && { isWithdrawn: true }),
    reasons: row.reasons,
    ...present({ escalation: row.waits ? toEscalated(row) : undefined }),
    ...(row.postId !== null && { postId: row.postId }),
    ...present({ reviewReasons: row.reviewReasons, highlights: row.highlights }),
    ...(claim && { claim }),
    allowed: row.waits && !isOwn ? allowed(row) : [],
  }
}

/** The whole title and text; no text where the conversation is not open. */
export function reportedTexts(
  row: Pick<ReportedRow, 'subjectType' | 'data' | 'isClosed'>,
  { isOpened }: { isOpened: boolean },
): { title: string | undefined; text: string } {
  const isTitled = row.subjectType === 'post' || row.subjectType === 'user'
  return {
    title: isTitled ? titleOf(row) : undefined,
    text: row.isClosed === true && !isOpened ? '' : textOf(row),
  }
}

/** What its author has deleted is only dismissed. */
function allowed({ mayDismiss, mayDelete, isWithdrawn }: ReportedRow): QueueItem['allowed'] {
  return [...(mayDismiss ? (['dismissed'] as const) : []), ...(mayDelete && !isWithdrawn ? (['deleted'] as const) : [])]
}
