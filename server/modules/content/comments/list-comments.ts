import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayEverywhere, mayInCommunity } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { CommentsPage, CommentsQuery } from '#server/modules/content/comments/schema.ts'
import { isContentVisible } from '#server/modules/content/reviewable/reviewable.ts'
import { isOpen } from '#server/modules/spaces/communities/visible.ts'

const USUAL_LIMIT = 10

/**
 * The comments on a post, story or content that the caller may see, newest first by default. Pending ones are left out for everyone but
 * their author, also for reviewers who do not ask for them; a caller who asks but reviews nothing there gets FORBIDDEN.
 */
export async function listComments(ctx: Ctx, input: CommentsQuery): Promise<CommentsPage> {
  const page = readPageRequest(input.options, USUAL_LIMIT)
  const { where, orderBy, limit } = pageClauses(orderOf(input), page)
  const asMany = sql.raw(`limit ${page.limit + 1 + (page.skip ?? 0)}`)
  // Each walk uses an index of its own; only reviewers and the author walk through pending comments.
  const walks = seenBy(ctx, input).map(
    (seen) => sql`(
      select c.comment_id, c.created_at
      from comment c left join community k on k.community_id = c.community_id
      where c.reference_id = ${input.referenceId} and c.reference_type = ${input.referenceType}::reference_type
        and ${seen} and ${isContentVisible(ctx, reviewableComment)} ${narrowed(input)} and ${where}
      order by ${orderBy} ${asMany})`,
  )
  const [first, ...others] = await query<Space & (ListedComment | { commentId: null })>(
    ctx,
    sql`
    with space as materialized (${readSpace(ctx, input)})
    select space.may_review, c.comment_id, c.created_at
    from space left join lateral (
      select c.* from (${sql.join(walks, ' union all ')}) c order by ${orderBy} ${limit}) c on true
    order by ${orderBy}`,
  )
  if (first === undefined || (input.includePending && !first.mayReview)) throw new DomainError('FORBIDDEN')

  const found = [first, ...others].filter((row) => row.commentId !== null)
  const { rows, paging } = toPage(found, page, (row) => [timestampOf(row.createdAt), row.commentId])
  const envelope = await buildCommentsEnvelope(
    ctx,
    rows.map((row) => row.commentId),
  )
  return { ...envelope, paging }
}

interface ListedComment {
  commentId: string
  createdAt: Date
}

interface Space {
  mayReview: boolean
}

/** The community of the comments on one target: that of the post, or any of them where the post is not known. */
function readSpace(ctx: Ctx, { referenceType, referenceId }: CommentsQuery): Sql {
  const mayReview = mayInCommunity(ctx, 'reviewComments', sql`k.community_id`)
  return sql`
    select (k.community_id is null or ${isOpen(ctx)}) as is_open, (${mayEverywhere(ctx, 'reviewComments')} or ${mayReview}) as may_review
    from (select coalesce(
      (select community_id from post where post_id = ${referenceId} and ${referenceType === 'post'}),
      (select community_id from comment where reference_id = ${referenceId} and reference_type = ${referenceType}::reference_type limit 1)
      ) as community_id) of_target
    left join community k on k.community_id = of_target.community_id`
}

/** The walks whose union the caller sees: everything, or what everyone sees and what they wrote themselves. */
function seenBy(ctx: Ctx, { includePending }: CommentsQuery): Sql[] {
  if (includePending) return [sql`(select may_review from space)`]
  const isSeen = sql`(select is_open or may_review from space)`
  const own = sql`c.user_id = ${actingUserId(ctx) ?? null} ${NO_PREPARE}`
  const { isPublic } = reviewableComment
  return [sql`${isSeen} and ${isPublic}`, sql`${isSeen} and ${own} and not ${isPublic}`, sql`not ${isSeen} and ${own}`]
}

/**
 * Along comment_public, comment_on_reference, comment_flagged or comment_of_author; replies to one comment along comment_replies, whose
 * ties are ordered the other way.
 */
function orderOf({ sortBy, parentId }: CommentsQuery): ListOrder {
  const isDescending = sortBy === 'lastCreated'
  return {
    first: { column: sql`c.created_at`, isDescending, type: 'timestamptz' },
    tie: { column: sql`c.comment_id`, isDescending: parentId === undefined ? !isDescending : isDescending },
  }
}

function narrowed({ parentId, filterByParentId, hasFlag, isDeleted, dataTypes }: CommentsQuery): Sql {
  const conditions: Sql[] = []
  if (parentId !== undefined) conditions.push(sql`c.parent_id = ${parentId}`)
  else if (filterByParentId) conditions.push(sql`c.parent_id is null`)
  if (hasFlag !== undefined) conditions.push(hasFlag ? sql`c.flag_count > 0` : sql`c.flag_count = 0`)
  if (isDeleted !== undefined) conditions.push(isDeleted ? sql`c.is_deleted` : sql`not c.is_deleted`)
  if (dataTypes !== undefined) conditions.push(ofTypes(dataTypes))
  return conditions.length === 0 ? sql.empty : sql`and ${sql.join(conditions, ' and ')}`
}

/** An exact match: these types and no other. */
function ofTypes({ values, matchType }: NonNullable<CommentsQuery['dataTypes']>): Sql {
  return matchType === 'any'
    ? sql`c.data_types && ${values}`
    : sql`(c.data_types @> ${values} and c.data_types <@ ${values})`
}
