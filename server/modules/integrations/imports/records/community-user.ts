import { z } from 'zod'
import { Membership } from '#server/core/prisma/enums.ts'
import { Dates, field, Id, otherwise, UserId } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind, tally } from '#server/modules/integrations/imports/records/record-kind.ts'

const IS_MEMBER = `membership = 'member' and not is_deleted`

export const communityUser = recordKind({
  stage: 2,
  table: 'community_user',
  id: ['community_id', 'user_id'],
  schema: z.object({
    communityId: Id,
    userId: UserId,
    communityMembership: otherwise('none', z.enum(Membership)),
    notMemberReason: field.text,
    roles: field.roles,
    lastActivity: field.time,
    lastJoin: field.time,
    muteTimeout: field.time,
    isDeleted: field.flag,
    ...Dates,
  }),
  names: { communityId: 'community', userId: 'user' },
  toRow: ({ communityMembership, ...member }) => ({ ...member, membership: communityMembership }),
  effects: [
    tally('community_members', { by: 'community_id', where: IS_MEMBER }),
    tally('community_moderators', { by: 'community_id', where: `${IS_MEMBER} and 'community-moderator' = any(roles)` }),
  ],
})
