import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { excerptOf, LONG_EXCERPT_LENGTH } from '#server/core/excerpt.ts'
import { listPage, type Page } from '#server/core/list-page.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'
import type { ContentRecord, Named, PersonListInput } from '#server/modules/people/schema.ts'
import { knowsCommunity } from '#server/modules/people/scope.ts'
import { namedAs } from '#server/modules/people/view.ts'
import { rejectedByRulesAt } from '#server/modules/rules/judging/review-reasons.ts'

/** The branches of the statement, with the same columns. A rejection deletes the item too. */
const COMMENTS = sql`
  select 'comment' as subject_type, c.comment_id as subject_id, c.created_at, c.community_id, c.data, c.queued_at as held_at,
    case when c.approval_status = 'rejected' then 'rejected' when c.is_deleted then 'removed' when c.approval_status = 'pending' then 'held'
      else 'published' end as state
  from comment c`
const POSTS = sql`
  select 'post' as subject_type, p.post_id as subject_id, p.created_at, p.community_id, p.data, p.queued_at as held_at,
    case when p.feed_type = 'declined' then 'rejected' when p.is_deleted then 'removed' when p.feed_type = 'reviewing' then 'held'
      else 'published' end as state
  from post p`

interface ContentRow {
  subjectType: ContentRecord['subjectType']
  subjectId: string
  createdAt: Date
  communityId: string | null
  communityName: string | null
  data: Record<string, unknown> | null
  heldAt: Date | null
  state: ContentRecord['state']
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
 * What became of the comments and posts that a person wrote, latest first: the answer to "where is my comment?". Uses comment_of_author and
 * post_of_author; of each shown item, decision_subject_type_subject_id_decided_at_idx, audit_subject_type_subject_id_audit_id_idx and
 * rule_match_subject_type_subject_id_rule_id_key.
 */
export function listContent(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<ContentRecord>> {
  return listPage<ContentRow, ContentRecord>(ctx, page, {
    order: {
      first: { column: sql`i.created_at`, isDescending: true, type: 'timestamptz' },
      tie: { column: sql`i.subject_id`, isDescending: false },
    },
    select: ({ where, orderBy, limit }) => sql`
      select i.*, nullif(k.display_name, '') as community_name, d.outcome, d.decided_at, d.decided_by, d.decided_by_name, d.reason,
        a.at as removed_at, ${namedAs(sql`a.actor_id`, sql`remover`)} as removed_by,
        case i.state when 'rejected' then ${rejectedByRulesAt({ subjectType: sql`i.subject_type::subject_type`, subjectId: sql`i.subject_id` })} end
          as rejected_by_rules_at
      from (
        select i.* from (${COMMENTS} where c.user_id = ${userId} union all
          ${POSTS} where p.posted_user_id = ${userId} and p.parent_post_id is null) i
        where ${where} and ${knowsCommunity(ctx, 'VIEW_HISTORY', sql`i.community_id`)}
        order by ${orderBy} ${limit}) i
      left join community k on k.community_id = i.community_id
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
    toItem,
  })
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

function toItem(row: ContentRow): ContentRecord {
  const { subjectType, subjectId, state, outcome, decidedAt, decidedByName, communityId, communityName, removedAt } =
    row
  const { rejectedByRulesAt: byRulesAt } = row
  const isByRules = byRulesAt !== null && !(decidedAt !== null && decidedAt >= byRulesAt)
  return {
    subjectType,
    subjectId,
    state,
    writtenAt: timestampOf(row.createdAt),
    ...present({ heldAt: row.heldAt && timestampOf(row.heldAt), excerpt: excerptOf(textOf(row), LONG_EXCERPT_LENGTH) }),
    ...(communityId !== null && { community: { communityId, displayName: communityName ?? communityId } }),
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
