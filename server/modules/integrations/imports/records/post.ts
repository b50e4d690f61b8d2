import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { FeedType, TargetType } from '#server/core/prisma/enums.ts'
import { type FeedTarget, feedIdOf } from '#server/modules/content/posts/feed-id-of.ts'
import {
  Content,
  Dates,
  field,
  Id,
  otherwise,
  Responses,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import { findUnreviewable } from '#server/modules/integrations/imports/records/find-unreviewable.ts'
import {
  decided,
  positionOf,
  type Row,
  recordKind,
  reported,
  signals,
  tally,
  unjudged,
} from '#server/modules/integrations/imports/records/record-kind.ts'

const IS_HELD = `feed_type = 'reviewing' and not is_deleted and parent_post_id is null`

export const post = recordKind({
  stage: 2,
  table: 'post',
  held: 'post',
  id: ['post_id'],
  schema: z
    .object({
      postId: Id,
      parentPostId: field.id,
      postedUserId: UserId,
      sharedUserId: field.userId,
      targetType: otherwise('community', z.enum(TargetType)),
      targetId: Id,
      feedId: field.id,
      feedType: otherwise('published', z.enum(FeedType)),
      queuedAt: field.time,
      data: otherwise({}, Content),
      dataType: field.type,
      structureType: field.type,
      metadata: field.object,
      sharedCount: field.count,
      childrenNumber: field.count,
      impression: field.count,
      reach: field.count,
      ...Responses,
      tags: field.tags,
      hashtags: field.tags,
      mentionees: field.mentionees,
      hasFlaggedComment: field.flag,
      hasFlaggedChildren: field.flag,
      isDeleted: field.flag,
      editedAt: field.time,
      ...Dates,
    })
    .refine(({ feedType, targetType }) => feedType !== 'reviewing' || targetType === 'community', {
      path: ['targetType'],
      error: 'Must be community for a post that waits for review',
    }),
  names: { postedUserId: 'user', communityId: 'community' },
  toRow: ({ targetId, queuedAt, ...post }) => ({
    ...post,
    ...positionOf({ targetType: post.targetType, targetId }),
    queuedAt: queuedAt ?? (post.feedType === 'reviewing' ? post.createdAt : null),
  }),
  findFaults: (ctx, rows) => {
    const waiting = rows.filter(
      ({ feedType, isDeleted, parentPostId }) =>
        feedType === 'reviewing' && isDeleted === false && parentPostId === null,
    )
    return findUnreviewable(ctx, 'post', waiting)
  },
  complete: putInFeeds,
  effects: [
    sql`
    insert into feed (feed_id, target_id, target_type, feed_type, created_at, updated_at)
    select distinct on (feed_id) feed_id, coalesce(community_id, target_id), target_type::text, feed_type, created_at, updated_at
    from added order by feed_id, created_at
    on conflict (feed_id) do nothing`,
    ...reported('post'),
    signals('post'),
    tally('community_posts', {
      by: 'community_id',
      where: `feed_type = 'published' and not is_deleted and parent_post_id is null`,
    }),
    // What was published without review was never held.
    decided('post', {
      outcome: `case feed_type when 'declined' then 'rejected' else 'approved' end`,
      where: `parent_post_id is null and (feed_type = 'declined' or feed_type = 'published' and queued_at is not null)`,
    }),
    unjudged('post', { where: IS_HELD }),
    tally('feed_posts', { by: 'feed_id', where: `not is_deleted and parent_post_id is null` }),
  ],
})

/** A post without a feed is in that of its target: the oldest, as where one is written, or one that is made for it. */
async function putInFeeds(ctx: Ctx, rows: Row[]): Promise<Row[]> {
  const without = rows.filter(({ feedId }) => feedId === null).map(targetOf)
  if (without.length === 0) return rows
  const found = await query<{ feedId: string } & PostTarget>(
    ctx,
    sql`
    select distinct on (f.target_id, f.target_type, f.feed_type) f.feed_id, given.target_id, given.target_type, f.feed_type::text
    from feed f
    join (select distinct * from unnest(${without.map(({ targetId }) => targetId)}::text[], ${without.map(({ targetType }) => targetType)}::text[],
        ${without.map(({ feedType }) => feedType)}::feed_type[]) as given(target_id, target_type, feed_type)) given
      using (target_id, target_type, feed_type)
    order by f.target_id, f.target_type, f.feed_type, f.created_at, f.feed_id`,
  )
  const feeds = new Map(found.map(({ feedId, ...target }) => [keyOf(target), feedId]))
  return rows.map((row) => {
    const target = targetOf(row)
    return { ...row, feedId: row.feedId ?? feeds.get(keyOf(target)) ?? feedIdOf(target, target.feedType) }
  })
}

interface PostTarget extends FeedTarget {
  feedType: FeedType
}

const targetOf = ({ targetType, communityId, targetId, feedType }: Row): PostTarget => ({
  targetType: String(targetType),
  targetId: String(communityId ?? targetId),
  feedType: feedType as FeedType,
})

const keyOf = ({ targetType, targetId, feedType }: PostTarget) => JSON.stringify([targetType, targetId, feedType])
