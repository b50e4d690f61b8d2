import { z } from 'zod'
import { CommunityType, NotificationMode } from '#server/core/prisma/enums.ts'
import { Dates, field, Id, otherwise, tags } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const community = recordKind({
  stage: 1,
  table: 'community',
  id: ['community_id'],
  schema: z.object({
    communityId: Id,
    communityType: otherwise('default', z.enum(CommunityType)),
    channelId: field.id,
    displayName: field.name,
    userId: field.userId,
    avatarFileId: field.id,
    description: field.text,
    isOfficial: field.flag,
    isPublic: otherwise(true, z.boolean()),
    onlyAdminCanPost: field.flag,
    hasFlaggedComment: field.flag,
    hasFlaggedPost: field.flag,
    needApprovalOnPostCreation: field.flag,
    needApprovalOnCommentCreation: field.flag,
    allowCommentInStory: field.flag,
    isDiscoverable: field.flag,
    requiresJoinApproval: field.flag,
    isDeleted: field.flag,
    tags: tags({ count: 10, length: 100 }),
    categoryIds: otherwise([], z.array(Id).max(100)),
    metadata: field.object,
    notificationMode: otherwise('default', z.enum(NotificationMode)),
    ...Dates,
  }),
  toRow: ({ communityType, ...community }) => ({ ...community, type: communityType }),
})
