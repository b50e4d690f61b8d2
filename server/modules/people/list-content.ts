import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { excerptOf, LONG_EXCERPT_LENGTH } from '#server/core/excerpt.ts'
import { listPage, type Page } from '#server/core/list-page.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { withinDays } from '#server/core/within-days.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'
import { mayModerateMessages } from '#server/modules/content/messages/lock-message.ts'
import { MESSAGE_VERSIONS } from '#server/modules/content/messages/message-versions.ts'
import { reviewablePost } from '#server/modules/content/posts/reviewable-post.ts'
import { mayRemoveContent } from '#server/modules/content/reviewable/reviewable.ts'
import {
  type ContentFilter,
  type ContentListInput,
  type ContentRecord,
  ContentType,
  type Named,
} from '#server/modules/people/schema.ts'
import { knowsChannel, knowsCommunity } from '#server/modules/people/scope.ts'
import { namedAs } from '#server/modules/people/view.ts'
import { rejectedByRulesAt } from '#server/modules/rules/judging/review-reasons.ts'

type Wanted = Omit<Partial<ContentFilter>, 'kind'> & { userId: string }

/** What each kind of content selects of what a person wrote, with the same columns. A rejection deletes the item too. */
const KINDS: Record<ContentType, (ctx: Ctx, wanted: Wanted) => Sql> = {
  comment: (ctx, wanted) => sql`
    select 'comment' as subject_type, c.comment_id as subject_id, c.created_at, c.community_id, null as channel_id, c.data, c.version, c.queued_at as held_at,
      case when c.approval_status = 'rejected' then 'rejected' when c.is_deleted then 'removed' when c.approval_status = 'pending' then 'held'
        else 'published' end as state
    from comment c
    where c.user_id = ${wanted.userId} and ${knowsCommunity(ctx, 'VIEW_HISTORY', sql`c.community_id`)}
      ${isInState(wanted, 'comment', { id: sql`c.comment_id`, flagCount: sql`c.flag_count` })}
      ${wanted.communityId === undefined ? sql.empty : sql`and c.community_id = ${wanted.communityId}`}`,
  post: (ctx, wanted) => sql`
    select 'post' as subject_type, p.post_id as subject_id, p.created_at, p.community_id, null as channel_id, p.data, p.version, p.queued_at as held_at,
      case when p.feed_type = 'declined' then 'rejected' when p.is_deleted then 'removed' when p.feed_type = 'reviewing' then 'held'
        else 'published' end as state
    from post p
    where p.posted_user_id = ${wanted.userId} and p.parent_post_id is null and ${knowsCommunity(ctx, 'VIEW_HISTORY', sql`p.community_id`)}
      ${isInState(wanted, 'post', { id: sql`p.post_id`, flagCount: sql`p.flag_count` })}
      ${wanted.communityId === undefined ? sql.empty : sql`and p.community_id = ${wanted.communityId}`}`,
  // Not those of conversations: opening one takes a reason, which is logged.
  message: (ctx, wanted) => sql`
    select 'message' as subject_type, m.message_id as subject_id, m.created_at, null as community_id, m.channel_id,
      case when not m.is_deleted then m.data end as data,
      case when m.is_deleted then ${MESSAGE_VERSIONS.deleted}::int else ${MESSAGE_VERSIONS.published}::int end as version, null::timestamptz as held_at,
      case when m.is_deleted then 'removed' else 'published' end as state
    from message m join channel h on h.channel_id = m.channel_id
    where m.user_id = ${wanted.userId} and h.type <> 'conversation' and ${knowsChannel(ctx, 'VIEW_HISTORY', sql`m.channel_id`)}
      ${isInState(wanted, 'message', { id: sql`m.message_id`, flagCount: sql`m.flag_count` })}
      ${
        wanted.communityId === undefined
          ? sql.empty
          : sql`and m.channel_id = (select k.channel_id from community k where k.community_id = ${wanted.communityId})`
      }`,
}

/** A query: what a person wrote of one kind, as far as the caller may see it. */
export function writtenBy(ctx: Ctx, kind: ContentType, wanted: Wanted): Sql {
  return KINDS[kind](ctx, wanted)
}

/** What the items table knows of: read from there, as most of what people write is neither held nor reported. Uses review_item_of_author and review_item_pkey. */
function isInState({ userId, state }: Wanted, type: ContentType, { id, flagCount }: { id: Sql; flagCount: Sql }): Sql {
  if (state === 'held')
    return sql`and ${id} = any(array(
      select i.subject_id from review_item i where i.author_id = ${userId} and i.subject_type = ${type} and ${IS_HELD}))`
  if (state === 'reported') return sql`and ${flagCount} > 0 and ${isReported(sql`${type}`, id)}`
  return sql.empty
}

function isReported(type: Sql, id: Sql): Sql {
  return sql`exists (
    select from review_item r where r.subject_type = ${type} and r.subject_id = ${id} and r.kind = 'reported' and r.state = 'waiting')`
}

interface ContentRow {
  subjectType: ContentRecord['subjectType']
  subjectId: string
  createdAt: Date
  communityId: string | null
  communityName: string | null
  channelId: string | null
  channelName: string | null
  data: Record<string, unknown> | null
  version: number
  heldAt: Date | null
  state: ContentRecord['state']
  isReported: boolean
  mayDecide: boolean
  isClaimed: boolean
  claimedByName: string | null
  outcome: NonNullable<ContentRecord['decision']>['outcome'] | null
  decidedAt: Date | null
  decidedBy: string | null
  decidedByName: string | null
  reason: string | null
  removedAt: Date | null
  removedBy: Named | null
  /** When rules rejected it last, before people decided or not. */
  rejectedByRulesAt: Date | null
}

/**
 * What became of what a person wrote, latest first, and what the caller may decide about it. Each kind is read in order, up to the end of the page.
 * Uses comment_of_author, post_of_author and message_of_author; of each shown item, review_item_pkey, decision_subject_type_subject_id_decided_at_idx,
 * audit_subject_type_subject_id_audit_id_idx and rule_match_subject_type_subject_id_rule_id_key.
 */
export function listContent(
  ctx: Ctx,
  { userId, cursor, limit, kind, ...filter }: Pick<ContentListInput, 'userId' | 'limit'> & Partial<ContentListInput>,
): Promise<Page<ContentRecord>> {
  const { state, timeZone = 'UTC', startDate, endDate } = filter
  const kinds = kind === undefined ? ContentType.options : [kind]
  const inDays = withinDays({ startDate, endDate, timeZone }, sql`i.created_at`)
  const ofState = state === undefined || state === 'reported' ? sql.empty : sql`and i.state = ${state}`
  const plan = state === undefined && filter.communityId === undefined ? sql.empty : NO_PREPARE
  const me = actingUserId(ctx) ?? null
  const isOwn = userId === me
  return listPage<ContentRow, ContentRecord>(
    ctx,
    { cursor, limit },
    {
      order: {
        first: { column: sql`i.created_at`, isDescending: true, type: 'timestamptz' },
        tie: { column: sql`i.subject_id`, isDescending: false },
      },
      select: ({ where, orderBy, limit, atMost }) => sql`
      select i.*, nullif(k.display_name, '') as community_name, nullif(h.display_name, '') as channel_name, d.outcome, d.decided_at, d.decided_by,
        d.decided_by_name, d.reason, a.at as removed_at, ${namedAs(sql`a.actor_id`, sql`remover`)} as removed_by,
        ${isReported(sql`i.subject_type`, sql`i.subject_id`)} as is_reported, coalesce(${mayDecide(ctx)}, false) as may_decide,
        coalesce(held.claimed_by is distinct from ${me} and held.claimed_until > ${ctx.now()}, false) as is_claimed, claimant.name as claimed_by_name,
        case i.state when 'rejected' then ${rejectedByRulesAt({ subjectType: sql`i.subject_type::subject_type`, subjectId: sql`i.subject_id` })} end
          as rejected_by_rules_at
      from (
        select i.* from (${sql.join(
          kinds.map(
            (kind) => sql`(
          select i.* from (${writtenBy(ctx, kind, { userId, ...filter })}) i where ${where} ${ofState} ${inDays} ${plan} order by ${orderBy} ${atMost})`,
          ),
          ' union all ',
        )}) i
        order by ${orderBy} ${limit}) i
      left join community k on k.community_id = i.community_id
      left join channel h on h.channel_id = i.channel_id
      left join review_item held on held.subject_type = i.subject_type and held.subject_id = i.subject_id and held.kind = 'held' and held.state = 'waiting'
      left join lateral (
        select ${DESK_NAME} as name from network_user u left join staff_account a on a.network_user_id = u.user_id
        where u.user_id = held.claimed_by) claimant on true
      left join lateral (
        select d.outcome::text as outcome, d.decided_at, d.decided_by, d.decided_by_name, d.reason from decision d
        where d.subject_type = i.subject_type::subject_type and d.subject_id = i.subject_id and d.undone_at is null
        order by d.decided_at desc limit 1) d on true
      left join lateral (
        select a.at, a.actor_id from audit a
        where a.subject_type = i.subject_type and a.subject_id = i.subject_id and a.action = i.subject_type || '.deleted' and i.state = 'removed'
        order by a.audit_id desc limit 1) a on true
      left join network_user remover on remover.user_id = a.actor_id
      order by ${orderBy}`,
      positionOf: ({ createdAt, subjectId }) => [timestampOf(createdAt), subjectId],
      toItem: (row) => ({ ...toItem(row), ...toAllowed(row, isOwn) }),
    },
  )
}

/** Whether the caller may decide about row `i`, as deciding on it checks: approve or reject what is held, delete what is published. */
function mayDecide(ctx: Ctx): Sql {
  const [comment, post] = [sql`i.subject_type = 'comment'`, sql`i.subject_type = 'post'`]
  return sql`case
    when i.state = 'held' and ${comment} then ${mayInCommunity(ctx, 'reviewComments', sql`i.community_id`)} and not k.is_deleted
    when i.state = 'held' then ${mayInCommunity(ctx, 'reviewPosts', sql`i.community_id`)} and not k.is_deleted
    when i.state <> 'published' then false
    when ${comment} then (select ${mayRemoveContent(ctx, reviewableComment)} from comment c where c.comment_id = i.subject_id)
    when ${post} then (select ${mayRemoveContent(ctx, reviewablePost)} from post p where p.post_id = i.subject_id)
    else (select ${mayModerateMessages(ctx)} from channel c where c.channel_id = i.channel_id) end`
}

function toAllowed(
  { state, mayDecide, isClaimed, claimedByName }: ContentRow,
  isOwn: boolean,
): Pick<ContentRecord, 'allowed' | 'whyNot' | 'claimedByName'> {
  const whyNot = blockOf()
  if (whyNot === undefined) return { allowed: state === 'held' ? ['approved', 'rejected'] : ['deleted'] }
  return { allowed: [], whyNot, ...(whyNot === 'CLAIMED' && present({ claimedByName })) }

  function blockOf(): ContentRecord['whyNot'] {
    if (state === 'rejected' || state === 'removed') return 'OVER'
    if (isOwn) return 'OWN'
    if (!mayDecide) return 'FORBIDDEN'
    return isClaimed ? 'CLAIMED' : undefined
  }
}

/** How many of their comments and posts are held now, as far as the caller may see them. Uses review_item_of_author. */
export async function countHeldOf(ctx: Ctx, userId: string): Promise<number> {
  const counted = await queryOne<{ held: number }>(
    ctx,
    sql`
    select count(*)::int as held from review_item i
    where i.author_id = ${userId} and ${IS_HELD} and ${knowsCommunity(ctx, 'VIEW_HISTORY', sql`i.community_id`)}`,
  )
  return counted?.held ?? 0
}

function toItem(row: ContentRow): Omit<ContentRecord, 'allowed'> {
  const { subjectType, subjectId, version, state, isReported, communityId, channelId, removedAt } = row
  const { rejectedByRulesAt: byRulesAt, outcome, decidedAt, decidedByName } = row
  const isByRules = byRulesAt !== null && !(decidedAt !== null && decidedAt >= byRulesAt)
  return {
    subjectType,
    subjectId,
    version,
    state,
    ...(isReported && { isReported }),
    writtenAt: timestampOf(row.createdAt),
    ...present({ heldAt: row.heldAt && timestampOf(row.heldAt), excerpt: excerptOf(textOf(row), LONG_EXCERPT_LENGTH) }),
    ...(communityId !== null && { community: { communityId, displayName: row.communityName ?? communityId } }),
    ...(channelId !== null && { channel: { channelId, displayName: row.channelName ?? channelId } }),
    ...(isByRules && { rejectedByRulesAt: timestampOf(byRulesAt) }),
    ...(outcome !== null &&
      decidedAt !== null &&
      decidedByName !== null &&
      !isByRules && {
        decision: {
          outcome,
          at: timestampOf(decidedAt),
          by: { displayName: decidedByName, ...present({ userId: row.decidedBy }) },
          ...present({ reason: row.reason }),
        },
      }),
    ...(state === 'removed' &&
      removedAt !== null && {
        removal: { at: timestampOf(removedAt), ...present({ by: row.removedBy }) },
      }),
  }
}
