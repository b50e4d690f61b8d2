import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import {
  QUOTED_COMMENT,
  type QuotedRow,
  type QuotesWanted,
  readPost,
  toQuoted,
} from '#server/modules/review/items/read-surroundings.ts'
import type { Thread } from '#server/modules/review/items/schema.ts'
import { atMost } from '#server/modules/review/queue/held.ts'

/** The most parent comments shown above the item, nearest first. */
const PARENTS_SHOWN = 20
const BESIDE_SHOWN = 3
const REPLIES_SHOWN = 20

/**
 * The thread around a comment, or the first comments on a post, in the item's own community only. NOT_FOUND for callers who may
 * not review it.
 */
export async function readThread(ctx: Ctx, { areQuotesWhole, ...subject }: Subject & QuotesWanted): Promise<Thread> {
  const quoted = (row: QuotedRow) => toQuoted(row, { areQuotesWhole })
  const position = await readPosition(ctx, subject)
  const [post, parents, around] = await Promise.all([
    readPost(ctx, { ...subject, ...position }, { areQuotesWhole }),
    readParents(ctx, position),
    readAround(ctx, subject, position),
  ])
  const before = around.filter(({ part }) => part === 'before').reverse()
  const after = around.filter(({ part }) => part === 'after')
  const replies = around.filter(({ part }) => part === 'reply')
  const item = around.find(({ part }) => part === 'item')
  return {
    ...(post && { post }),
    parents: parents.map(quoted),
    ...(item && { item: quoted(item) }),
    before: before.slice(-BESIDE_SHOWN).map(quoted),
    after: after.slice(0, BESIDE_SHOWN).map(quoted),
    replies: replies.slice(0, REPLIES_SHOWN).map(quoted),
    hasMore: {
      before: before.length > BESIDE_SHOWN,
      after: after.length > BESIDE_SHOWN,
      replies: replies.length > REPLIES_SHOWN,
    },
  }
}

interface Position {
  communityId: string
  parentId: string | null
  postId: string | null
  referenceId: string | null
  createdAt: Date
}

async function readPosition(ctx: Ctx, subject: Subject): Promise<Position> {
  const { subjectType, subjectId } = subject
  const position = await queryOne<Position>(
    ctx,
    subjectType === 'comment'
      ? sql`
        select c.community_id, c.parent_id, c.reference_id, c.created_at,
          case c.reference_type when 'post' then c.reference_id end as post_id
        from comment c
        where c.comment_id = ${subjectId} and (c.approval_status is not null or ${isReported(subject)})
          and ${mayInCommunity(ctx, 'reviewComments', sql`c.community_id`)}`
      : sql`
        select p.community_id, null as parent_id, p.post_id as reference_id, p.created_at, p.post_id
        from post p
        where p.post_id = ${subjectId} and (p.queued_at is not null or p.feed_type = 'declined' or ${isReported(subject)}) and p.parent_post_id is null
          and ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}`,
  )
  if (position === undefined) throw new DomainError('NOT_FOUND')
  return position
}

function isReported({ subjectType, subjectId }: Subject): Sql {
  return sql`exists (
    select from review_item where subject_type = ${subjectType} and subject_id = ${subjectId} and kind = 'reported')`
}

/** The comments that this one answers, in the order written. */
function readParents(ctx: Ctx, { parentId, communityId }: Position): Promise<QuotedRow[]> {
  return query<QuotedRow>(
    ctx,
    sql`
    with recursive above as (
      select comment_id, parent_id, 1 as height from comment where comment_id = ${parentId} and community_id = ${communityId}
      union all
      select c.comment_id, c.parent_id, above.height + 1
      from above join comment c on c.comment_id = above.parent_id and c.community_id = ${communityId}
      where above.height < ${PARENTS_SHOWN})
    select ${QUOTED_COMMENT} from above join comment c on c.comment_id = above.comment_id join network_user u on u.user_id = c.user_id
    order by above.height desc, c.comment_id`,
  )
}

type Part = 'item' | 'before' | 'after' | 'reply'

/** What is around the comment, each part nearest first, with one row more than is shown. Uses comment_replies and comment_on_reference. */
function readAround(ctx: Ctx, subject: Subject, position: Position): Promise<(QuotedRow & { part: Part })[]> {
  const inWritten = sql`c.created_at, c.comment_id`
  const isReply =
    subject.subjectType === 'comment'
      ? sql`c.parent_id = ${subject.subjectId}`
      : sql`c.reference_id = ${subject.subjectId} and c.reference_type = 'post' and c.parent_id is null`
  const replies = part(position, 'reply', { where: isReply, order: inWritten, limit: REPLIES_SHOWN + 1 })
  if (subject.subjectType === 'post') return query(ctx, replies)

  const isBeside =
    position.parentId === null
      ? sql`c.reference_id = ${position.referenceId} and c.parent_id is null`
      : sql`c.parent_id = ${position.parentId}`
  const here = sql`(${position.createdAt}, ${subject.subjectId})`
  const parts = [
    part(position, 'item', { where: sql`c.comment_id = ${subject.subjectId}`, order: inWritten, limit: 1 }),
    part(position, 'before', {
      where: sql`${isBeside} and (${inWritten}) < ${here}`,
      order: sql`c.created_at desc, c.comment_id desc`,
      limit: BESIDE_SHOWN + 1,
    }),
    part(position, 'after', {
      where: sql`${isBeside} and (${inWritten}) > ${here}`,
      order: inWritten,
      limit: BESIDE_SHOWN + 1,
    }),
    replies,
  ]
  return query(ctx, sql.join(parts, ' union all '))
}

function part(
  { communityId }: Position,
  name: Part,
  { where, order, limit }: { where: Sql; order: Sql; limit: number },
): Sql {
  return sql`(
    select ${name} as part, ${QUOTED_COMMENT} from comment c join network_user u on u.user_id = c.user_id
    where ${where} and c.community_id = ${communityId} order by ${order} ${atMost(limit)})`
}
