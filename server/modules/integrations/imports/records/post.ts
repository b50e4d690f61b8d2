import { z } from 'zod'
import { FeedType, TargetType } from '#server/core/prisma/enums.ts'
import { Mentionee } from '#server/modules/content/comments/schema.ts'
import {
  AnyObject,
  Count,
  Dates,
  Flag,
  Id,
  Name,
  optional,
  otherwise,
  Reactions,
  Reports,
  Tags,
  Time,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind, reported, tally } from '#server/modules/integrations/imports/records/record-kind.ts'

export const post = recordKind({
  stage: 2,
  table: 'post',
  id: ['post_id'],
  schema: z.object({
    postId: Id,
    parentPostId: optional(Id),
    postedUserId: UserId,
    sharedUserId: optional(UserId),
    targetType: otherwise('community', z.enum(TargetType)),
    targetId: Id,
    feedId: optional(Id),
    feedType: otherwise('published', z.enum(FeedType)),
    queuedAt: optional(Time),
    data: otherwise({}, AnyObject),
    dataType: optional(Name),
    structureType: optional(Name),
    metadata: optional(AnyObject),
    sharedCount: Count,
    childrenNumber: Count,
    impression: Count,
    reach: Count,
    ...Reactions,
    ...Reports,
    tags: Tags,
    hashtags: Tags,
    mentionees: optional(z.array(Mentionee)),
    hasFlaggedComment: Flag,
    hasFlaggedChildren: Flag,
    isDeleted: Flag,
    editedAt: optional(Time),
    ...Dates,
  }),
  names: { postedUserId: 'user', communityId: 'community' },
  toRow: ({ targetId, queuedAt, ...post }) => ({
    ...post,
    communityId: post.targetType === 'community' ? targetId : null,
    targetId: post.targetType === 'community' ? null : targetId,
    queuedAt: queuedAt ?? (post.feedType === 'reviewing' ? post.createdAt : null),
  }),
  effects: [
    ...reported('post'),
    tally('community_posts', {
      by: 'community_id',
      where: `feed_type = 'published' and not is_deleted and parent_post_id is null`,
    }),
    tally('held_posts', {
      by: 'community_id',
      where: `feed_type = 'reviewing' and not is_deleted and parent_post_id is null and community_id is not null`,
    }),
    tally('feed_posts', { by: 'feed_id', where: `not is_deleted and parent_post_id is null` }),
  ],
})
