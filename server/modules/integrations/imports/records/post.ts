import { z } from 'zod'
import { FeedType, TargetType } from '#server/core/prisma/enums.ts'
import {
  AnyObject,
  Dates,
  field,
  Id,
  otherwise,
  Responses,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import {
  positionOf,
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
  id: ['post_id'],
  schema: z.object({
    postId: Id,
    parentPostId: field.id,
    postedUserId: UserId,
    sharedUserId: field.userId,
    targetType: otherwise('community', z.enum(TargetType)),
    targetId: Id,
    feedId: field.id,
    feedType: otherwise('published', z.enum(FeedType)),
    queuedAt: field.time,
    data: otherwise({}, AnyObject),
    dataType: field.name,
    structureType: field.name,
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
  }),
  names: { postedUserId: 'user', communityId: 'community' },
  toRow: ({ targetId, queuedAt, ...post }) => ({
    ...post,
    ...positionOf({ targetType: post.targetType, targetId }),
    queuedAt: queuedAt ?? (post.feedType === 'reviewing' ? post.createdAt : null),
  }),
  effects: [
    ...reported('post'),
    signals('post'),
    tally('community_posts', {
      by: 'community_id',
      where: `feed_type = 'published' and not is_deleted and parent_post_id is null`,
    }),
    unjudged('post', { where: IS_HELD }),
    tally('held_posts', { by: 'community_id', where: `${IS_HELD} and community_id is not null` }),
    tally('feed_posts', { by: 'feed_id', where: `not is_deleted and parent_post_id is null` }),
  ],
})
