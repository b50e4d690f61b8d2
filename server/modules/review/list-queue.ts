import { z } from 'zod'
import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, query, queryOne, type Sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor, toCursor } from '#server/core/paging.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { textOf } from '#server/modules/comments/view.ts'
import { atMost, hasDates, inOrder, matches, type Order } from '#server/modules/review/held.ts'
import type { DeskQueueInput, QueueItem, QueuePage } from '#server/modules/review/schema.ts'
import { nameOf } from '#server/modules/users/view.ts'

const Position = z.object({ heldAt: z.iso.datetime(), commentId: z.string() })

/**
 * The desk's queue: what waits in one community, or in all that the caller reviews, page by page after a cursor. Fails with
 * NOT_FOUND for an unknown community, FORBIDDEN for one the caller does not review, INVALID_PARAMETERS for a foreign cursor.
 */
export async function listDeskQueue(ctx: Ctx, input: DeskQueueInput): Promise<QueuePage> {
  const places = await reviewedPlaces(ctx, input.communityId)
  const order = inOrder(input.order, { hasDates: hasDates(input), deep: false })

  // One short index walk a community, merged: the work is the page times the places, however much waits.
  const rows = await query<ItemRow>(
    ctx,
    Prisma.sql`
    with page as materialized (
      select held.comment_id
      from unnest(${places.map((place) => place.communityId)}::text[]) as place(community_id)
      cross join lateral (
        select c.comment_id, c.queued_at from comment c
        where c.community_id = place.community_id and ${matches(input)} ${after(input.cursor, input.order)}
        order by ${order} ${atMost(input.limit + 1)}) held
      order by ${input.order === 'newest' ? Prisma.sql`held.queued_at desc, held.comment_id` : Prisma.sql`held.queued_at, held.comment_id desc`}
      ${atMost(input.limit + 1)})
    select ${ITEM_COLUMNS}
    from page join comment c on c.comment_id = page.comment_id
    join network_user u on u.user_id = c.user_id join community k on k.community_id = c.community_id
    order by ${inOrder(input.order, { hasDates: false, deep: false })}`,
  )

  const items = rows.slice(0, input.limit).map((row) => toQueueItem(ctx, row))
  const last = items.at(-1)
  return {
    items,
    ...(rows.length > input.limit && last && { next: toCursor({ heldAt: last.heldAt, commentId: last.commentId }) }),
    narrowedTo: await readNames(ctx, input, places),
  }
}

interface Place {
  communityId: string
  displayName: string
}

/** The communities to look in: the one asked for, or all that the caller reviews and that may hold anything. */
async function reviewedPlaces(ctx: Ctx, communityId: string | undefined): Promise<Place[]> {
  const mayReview = mayInCommunity(ctx, 'reviewComments', Prisma.sql`k.community_id`)
  const name = Prisma.sql`k.community_id as "communityId", coalesce(nullif(k.display_name, ''), k.community_id) as "displayName"`
  if (communityId === undefined) {
    return query<Place>(
      ctx,
      Prisma.sql`
      select ${name} from community k
      where ${mayReview} and not k.is_deleted and exists (select from comment c where c.community_id = k.community_id and ${matches({ timeZone: 'UTC' })})`,
    )
  }

  const place = await queryOne<Place & { mayReview: boolean }>(
    ctx,
    Prisma.sql`
    select ${name}, ${mayReview} as "mayReview" from community k where k.community_id = ${communityId} and not k.is_deleted`,
  )
  if (place === undefined) throw new DomainError('NOT_FOUND')
  if (!place.mayReview) throw new DomainError('FORBIDDEN')
  return [place]
}

function after(cursor: string | undefined, order: Order): Sql {
  if (cursor === undefined) return Prisma.empty
  const position = fromCursor(cursor, Position)
  if (position === undefined) throw new DomainError('INVALID_PARAMETERS', { detail: ['cursor: does not decode'] })

  const heldAt = new Date(position.heldAt)
  return order === 'newest'
    ? Prisma.sql`and c.queued_at <= ${heldAt} and (c.queued_at < ${heldAt} or c.comment_id > ${position.commentId})`
    : Prisma.sql`and c.queued_at >= ${heldAt} and (c.queued_at > ${heldAt} or c.comment_id < ${position.commentId})`
}

/** What `toQueueItem` reads, selected from `comment c`, its author `network_user u` and its `community k`. */
export const ITEM_COLUMNS = Prisma.sql`
  c.comment_id as "commentId", c.version, c.data, c.data_types as "dataTypes", c.created_at as "createdAt", c.queued_at as "queuedAt",
  c.flag_count as "flagCount", c.parent_id as "parentId", c.reference_type as "referenceType", c.reference_id as "referenceId",
  c.approval_status as "approvalStatus", c.is_deleted as "isDeleted",
  u.user_id as "userId", u.display_name as "displayName", k.community_id as "communityId",
  coalesce(nullif(k.display_name, ''), k.community_id) as "communityName"`

export interface ItemRow {
  commentId: string
  version: number
  data: Record<string, unknown> | null
  dataTypes: string[]
  createdAt: Date
  queuedAt: Date
  flagCount: number
  parentId: string | null
  referenceType: string | null
  referenceId: string | null
  approvalStatus: string | null
  isDeleted: boolean
  userId: string
  displayName: string | null
  communityId: string
  communityName: string
}

/** One row of the queue; nobody may decide on what they wrote. */
export function toQueueItem(ctx: Ctx, row: ItemRow): QueueItem {
  const waits = row.approvalStatus === 'pending' && !row.isDeleted
  return {
    commentId: row.commentId,
    version: row.version,
    text: textOf(row),
    dataTypes: row.dataTypes,
    writtenAt: row.createdAt.toISOString(),
    heldAt: row.queuedAt.toISOString(),
    flagCount: row.flagCount,
    isReply: row.parentId !== null,
    author: { userId: row.userId, displayName: nameOf(row) },
    community: { communityId: row.communityId, displayName: row.communityName },
    ...(row.referenceType === 'post' && row.referenceId !== null && { postId: row.referenceId }),
    allowed: waits && row.userId !== actingUserId(ctx) ? ['approved', 'rejected'] : [],
  }
}

/** The names behind what one narrowed the queue to; a post is named only where it stands in a community one reviews. */
async function readNames(
  ctx: Ctx,
  filter: { communityId?: string | undefined; postId?: string | undefined },
  places: Place[],
) {
  const community = places.find((place) => place.communityId === filter.communityId)
  if (filter.postId === undefined) return { ...(community && { community }) }

  const post = await queryOne<{ postId: string; data: Record<string, unknown> | null }>(
    ctx,
    Prisma.sql`
    select post_id as "postId", data from post where post_id = ${filter.postId}
      and ${mayInCommunity(ctx, 'reviewComments', Prisma.sql`post.community_id`)}`,
  )
  const title = post?.data?.title
  return {
    ...(community && { community: { communityId: community.communityId, displayName: community.displayName } }),
    ...(post && {
      post: {
        postId: post.postId,
        title: typeof title === 'string' ? title : textOf(post).slice(0, 80) || post.postId,
      },
    }),
  }
}
