import { z } from 'zod'
import { actorHolds, type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor, toCursor } from '#server/core/paging.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import { heldComments, heldPosts, wantsComments, wantsPosts } from '#server/modules/review/queue/desk-filter.ts'
import { atMost, hasDates, inOrder, type Order } from '#server/modules/review/queue/held.ts'
import { listReports } from '#server/modules/review/queue/list-reports.ts'
import {
  COMMENT_ITEM,
  type ItemRow,
  namedItems,
  POST_ITEM,
  titleOf,
  toQueueItem,
} from '#server/modules/review/queue/queue-item.ts'
import { reviewedSpaces } from '#server/modules/review/queue/reviewed-spaces.ts'
import {
  type DeskQueueInput,
  type QueueItem,
  type QueuePage,
  SubjectType,
} from '#server/modules/review/queue/schema.ts'

const Position = z.object({ heldAt: z.iso.datetime(), subjectType: SubjectType, subjectId: z.string() })
type Position = z.output<typeof Position>

/**
 * The desk's queue: pending comments and posts of one community, or of all that the caller reviews, by the time they were held,
 * paged by cursor; `listReports` lists reported items. Fails with NOT_FOUND for an unknown community, FORBIDDEN for one the
 * caller does not review, INVALID_PARAMETERS for an invalid cursor.
 */
export async function listDeskQueue(ctx: Ctx, input: DeskQueueInput): Promise<QueuePage> {
  if (input.view === 'reported') return listReports(ctx, input)
  const rows = await readPage(ctx, input)
  if (rows.length === 0) ensureLookedUp(ctx)

  const items = rows.slice(0, input.limit).map((row) => toQueueItem(ctx, row))
  const last = items.at(-1)
  const position = last && { heldAt: last.heldAt, subjectType: last.subjectType, subjectId: last.subjectId }
  return {
    items,
    ...(rows.length > input.limit && position && { next: toCursor(position) }),
    narrowedTo: await readNames(ctx, input, items[0]),
  }
}

/**
 * Merges one short index scan for each community and type: the work is the page size times the communities, however long the
 * queue is. Reads nothing of a community that the caller does not review.
 */
function readPage(ctx: Ctx, input: DeskQueueInput): Promise<ItemRow[]> {
  const order = sql.raw(
    input.order === 'newest'
      ? 'item.queued_at desc, item.subject_id, item.subject_type'
      : 'item.queued_at, item.subject_id desc, item.subject_type desc',
  )
  const walks = [
    ...(wantsComments(input) ? [commentWalk(ctx, input)] : []),
    ...(wantsPosts(input) ? [postWalk(ctx, input)] : []),
  ]
  if (walks.length === 0) return Promise.resolve([])
  const reviewed = input.communityId === undefined ? sql.empty : sql`and k.community_id = ${input.communityId}`
  const page = sql`
    select item.* from (
      select k.community_id, ${mayInCommunity(ctx, 'reviewComments', sql`k.community_id`)} as comments,
        ${mayInCommunity(ctx, 'reviewPosts', sql`k.community_id`)} as posts
      from community k where not k.is_deleted and ${actorHolds(ctx)} ${reviewed} offset 0) space
    cross join lateral (${sql.join(walks, ' union all ')}) item
    order by ${order} ${atMost(input.limit + 1)}`
  const isEscalated = input.view === 'escalated'
  return query<ItemRow>(ctx, sql`${namedItems(page, { isEscalated })} order by ${order}`)
}

/** Uses comment_held and comment_held_by_written, or the index of the filter. */
function commentWalk(ctx: Ctx, input: DeskQueueInput): Sql {
  return sql`(
    select ${COMMENT_ITEM} from comment c
    where space.comments and c.community_id = space.community_id and ${heldComments(ctx, input, sql`space.community_id`)}
      ${after(input, { queuedAt: sql`c.queued_at`, id: sql`c.comment_id`, type: 'comment' })}
    order by ${inOrder(input.order, { hasDates: hasDates(input), deep: false })} ${atMost(input.limit + 1)})`
}

/** Uses post_held. */
function postWalk(ctx: Ctx, input: DeskQueueInput): Sql {
  return sql`(
    select ${POST_ITEM} from post p
    where space.posts and p.community_id = space.community_id and ${heldPosts(ctx, input, sql`space.community_id`)}
      ${after(input, { queuedAt: sql`p.queued_at`, id: sql`p.post_id`, type: 'post' })}
    order by ${input.order === 'newest' ? sql`p.queued_at desc, p.post_id` : sql`p.queued_at, p.post_id desc`}
    ${atMost(input.limit + 1)})`
}

interface Columns {
  queuedAt: Sql
  id: Sql
  type: SubjectType
}

/** Conditions for rows after the cursor in the list's order: held later or earlier, then by id, then comments before posts. */
function after({ cursor, order }: DeskQueueInput, { queuedAt, id, type }: Columns): Sql {
  if (cursor === undefined) return sql.empty
  const position = fromCursor(cursor, Position)
  if (position === undefined) throw new DomainError('INVALID_PARAMETERS', { detail: ['cursor: not valid'] })

  const heldAt = new Date(position.heldAt)
  const beyond = sql.raw(`${order === 'newest' ? '>' : '<'}${isAfter(type, position, order) ? '=' : ''}`)
  return order === 'newest'
    ? sql`and ${queuedAt} <= ${heldAt} and (${queuedAt} < ${heldAt} or ${id} ${beyond} ${position.subjectId})`
    : sql`and ${queuedAt} >= ${heldAt} and (${queuedAt} > ${heldAt} or ${id} ${beyond} ${position.subjectId})`
}

/** Whether, of two items with the same time and id, the one of this type comes after the position. */
function isAfter(type: SubjectType, { subjectType }: Position, order: Order): boolean {
  return order === 'newest' ? type > subjectType : type < subjectType
}

/**
 * The names behind the filter's ids; posts and people are named only as far as the caller reviews them. An item of the page names the
 * community; where there is none, it is looked up.
 */
async function readNames(
  ctx: Ctx,
  filter: DeskQueueInput,
  item: QueueItem | undefined,
): Promise<QueuePage['narrowedTo']> {
  const { communityId, postId, authorId } = filter
  const [community, post, author] = await Promise.all([
    communityId === undefined ? undefined : (item?.community ?? readReviewedName(ctx, communityId)),
    postId === undefined ? undefined : readPostName(ctx, postId),
    authorId === undefined ? undefined : readAuthorName(ctx, authorId),
  ])
  return { ...(community && { community }), ...(post && { post }), ...(author && { author }) }
}

/** Fails with NOT_FOUND for an unknown community, FORBIDDEN for one the caller does not review. */
async function readReviewedName(ctx: Ctx, communityId: string) {
  const [space] = await reviewedSpaces(ctx, communityId)
  return space && { communityId, displayName: space.displayName }
}

const TITLE_LENGTH = 80

async function readPostName(ctx: Ctx, postId: string) {
  const post = await queryOne<{ data: Record<string, unknown> | null }>(
    ctx,
    sql`
    select data from post where post_id = ${postId}
      and ${mayInCommunity(ctx, 'reviewComments', sql`post.community_id`)}`,
  )
  return post && { postId, title: titleOf(post) ?? (textOf(post).slice(0, TITLE_LENGTH) || postId) }
}

async function readAuthorName(ctx: Ctx, userId: string) {
  const author = await queryOne<{ userId: string; displayName: string | null }>(
    ctx,
    sql`
    select u.user_id, u.display_name from network_user u
    where u.user_id = ${userId} and (
      exists (select from comment c where c.user_id = u.user_id and c.approval_status is not null
        and ${mayInCommunity(ctx, 'reviewComments', sql`c.community_id`)})
      or exists (select from post p where p.posted_user_id = u.user_id
        and ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}))`,
  )
  return author && { userId, displayName: nameOf(author) }
}
