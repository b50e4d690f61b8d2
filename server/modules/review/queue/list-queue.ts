import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
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
  ESCALATION,
  escalationOf,
  type ItemRow,
  POST_ITEM,
  titleOf,
  toQueueItem,
} from '#server/modules/review/queue/queue-item.ts'
import { type ReviewedSpace, reviewedSpaces } from '#server/modules/review/queue/reviewed-spaces.ts'
import { type DeskQueueInput, type QueuePage, SubjectType } from '#server/modules/review/queue/schema.ts'

const Position = z.object({ heldAt: z.iso.datetime(), subjectType: SubjectType, subjectId: z.string() })
type Position = z.output<typeof Position>

/**
 * The desk's queue: pending comments and posts of one community, or of all that the caller reviews, by the time they were held,
 * paged by cursor; `listReports` lists reported items. Fails with NOT_FOUND for an unknown community, FORBIDDEN for one the
 * caller does not review, INVALID_PARAMETERS for an invalid cursor.
 */
export async function listDeskQueue(ctx: Ctx, input: DeskQueueInput): Promise<QueuePage> {
  if (input.view === 'reported') return listReports(ctx, input)
  const spaces = await reviewedSpaces(ctx, input.communityId)
  const rows = await readPage(ctx, input, spaces)

  const items = rows.slice(0, input.limit).map((row) => toQueueItem(ctx, row))
  const last = items.at(-1)
  const position = last && { heldAt: last.heldAt, subjectType: last.subjectType, subjectId: last.subjectId }
  return {
    items,
    ...(rows.length > input.limit && position && { next: toCursor(position) }),
    narrowedTo: await readNames(ctx, input, spaces),
  }
}

/**
 * Merges one short index scan for each community and type: the work is the page size times the communities, however long the
 * queue is.
 */
function readPage(ctx: Ctx, input: DeskQueueInput, spaces: ReviewedSpace[]): Promise<ItemRow[]> {
  const isNewest = input.order === 'newest'
  const merged = (held: string) =>
    sql.raw(
      isNewest
        ? `${held}.queued_at desc, ${held}.id, ${held}.type`
        : `${held}.queued_at, ${held}.id desc, ${held}.type desc`,
    )
  const walks = [
    ...(wantsComments(input) ? [commentWalk(ctx, input)] : []),
    ...(wantsPosts(input) ? [postWalk(ctx, input)] : []),
  ]
  if (walks.length === 0) return Promise.resolve([])
  return query<ItemRow>(
    ctx,
    sql`
    with page as materialized (
      select held.type, held.id, held.queued_at
      from unnest(${spaces.map((space) => space.communityId)}::text[], ${spaces.map((space) => space.comments)}::bool[],
        ${spaces.map((space) => space.posts)}::bool[]) as space(community_id, comments, posts)
      cross join lateral (${sql.join(walks, ' union all ')}) held
      order by ${merged('held')} ${atMost(input.limit + 1)})
    select item.* from page cross join lateral (
      select ${COMMENT_ITEM}, ${ESCALATION}
      from comment c join network_user u on u.user_id = c.user_id join community k on k.community_id = c.community_id
      ${escalationOf('comment')}
      where page.type = 'comment' and c.comment_id = page.id
      union all
      select ${POST_ITEM}, ${ESCALATION}
      from post p join network_user u on u.user_id = p.posted_user_id join community k on k.community_id = p.community_id
      ${escalationOf('post')}
      where page.type = 'post' and p.post_id = page.id) item
    order by ${merged('page')}`,
  )
}

/** Uses comment_held and comment_held_by_written, or the index of the filter. */
function commentWalk(ctx: Ctx, input: DeskQueueInput): Sql {
  return sql`(
    select 'comment' as type, c.comment_id as id, c.queued_at from comment c
    where space.comments and c.community_id = space.community_id and ${heldComments(ctx, input, sql`space.community_id`)}
      ${after(input, { queuedAt: sql`c.queued_at`, id: sql`c.comment_id`, type: 'comment' })}
    order by ${inOrder(input.order, { hasDates: hasDates(input), deep: false })} ${atMost(input.limit + 1)})`
}

/** Uses post_held. */
function postWalk(ctx: Ctx, input: DeskQueueInput): Sql {
  return sql`(
    select 'post' as type, p.post_id as id, p.queued_at from post p
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

/** The names behind the filter's ids; posts and people are named only as far as the caller reviews them. */
async function readNames(ctx: Ctx, filter: DeskQueueInput, spaces: ReviewedSpace[]): Promise<QueuePage['narrowedTo']> {
  const community = spaces.find((space) => space.communityId === filter.communityId)
  const [post, author] = await Promise.all([
    filter.postId === undefined ? undefined : readPostName(ctx, filter.postId),
    filter.authorId === undefined ? undefined : readAuthorName(ctx, filter.authorId),
  ])
  return {
    ...(community && { community: { communityId: community.communityId, displayName: community.displayName } }),
    ...(post && { post }),
    ...(author && { author }),
  }
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
    select u.user_id as "userId", u.display_name as "displayName" from network_user u
    where u.user_id = ${userId} and (
      exists (select from comment c where c.user_id = u.user_id and c.approval_status is not null
        and ${mayInCommunity(ctx, 'reviewComments', sql`c.community_id`)})
      or exists (select from post p where p.posted_user_id = u.user_id
        and ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}))`,
  )
  return author && { userId, displayName: nameOf(author) }
}
