import { z } from 'zod'
import { ResourceId } from '#server/core/text.ts'

const Time = z.iso.datetime()

/** Length 1 to 900 (INTERFACE.md, Limits). */
export const CommunityId = ResourceId

/** INTERFACE.md, CommunityUser. Fields without a value are left out, never null. */
export const CommunityUser = z
  .object({
    userId: z.string(),
    userPublicId: z.string(),
    userInternalId: z.string(),
    channelId: z.string().optional(),
    communityId: z.string(),
    communityMembership: z.enum(['none', 'member', 'banned']),
    notMemberReason: z.string().optional(),
    isBanned: z.boolean(),
    lastActivity: Time.optional(),
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
    lastJoin: Time.optional(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'CommunityUser' })
export type CommunityUser = z.output<typeof CommunityUser>
