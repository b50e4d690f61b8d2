import { z } from 'zod'
import { CommunityType, NotificationMode } from '#server/core/prisma/enums.ts'
import {
  AnyObject,
  Dates,
  Flag,
  Id,
  Ids,
  Name,
  optional,
  otherwise,
  Tags,
  Text,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const community = recordKind({
  stage: 1,
  table: 'community',
  id: ['community_id'],
  schema: z.object({
    communityId: Id,
    communityType: otherwise('default', z.enum(CommunityType)),
    channelId: optional(Id),
    displayName: optional(Name),
    userId: optional(UserId),
    avatarFileId: optional(Id),
    description: optional(Text),
    isOfficial: Flag,
    isPublic: otherwise(true, z.boolean()),
    onlyAdminCanPost: Flag,
    hasFlaggedComment: Flag,
    hasFlaggedPost: Flag,
    needApprovalOnPostCreation: Flag,
    needApprovalOnCommentCreation: Flag,
    allowCommentInStory: Flag,
    isDiscoverable: Flag,
    requiresJoinApproval: Flag,
    isDeleted: Flag,
    tags: Tags,
    categoryIds: Ids,
    metadata: optional(AnyObject),
    notificationMode: otherwise('default', z.enum(NotificationMode)),
    ...Dates,
  }),
  toRow: ({ communityType, ...community }) => ({ ...community, type: communityType }),
})
