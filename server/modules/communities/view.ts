import { Prisma } from '#server/core/db.ts'
import type { CommunityUser } from '#server/modules/communities/schema.ts'

/** What `toCommunityUserView` reads, selected from `community_user cu`, its `community k` and its `network_user u`. */
export const COMMUNITY_USER_COLUMNS = Prisma.sql`
  cu.user_id as "userId", u.internal_id as "userInternalId", cu.community_id as "communityId", k.channel_id as "channelId",
  cu.membership, cu.not_member_reason as "notMemberReason", cu.last_activity as "lastActivity", cu.roles,
  role_permissions(cu.roles) as permissions, cu.last_join as "lastJoin", cu.created_at as "createdAt", cu.updated_at as "updatedAt"`

export interface CommunityUserRow {
  userId: string
  userInternalId: string
  communityId: string
  channelId: string | null
  membership: CommunityUser['communityMembership']
  notMemberReason: string | null
  lastActivity: Date | null
  roles: string[]
  permissions: string[]
  lastJoin: Date | null
  createdAt: Date
  updatedAt: Date
}

/** INTERFACE.md, CommunityUser. */
export function toCommunityUserView(row: CommunityUserRow): CommunityUser {
  return {
    userId: row.userId,
    userPublicId: row.userId,
    userInternalId: row.userInternalId,
    ...(row.channelId !== null && { channelId: row.channelId }),
    communityId: row.communityId,
    communityMembership: row.membership,
    ...(row.notMemberReason !== null && { notMemberReason: row.notMemberReason }),
    isBanned: row.membership === 'banned',
    ...(row.lastActivity && { lastActivity: row.lastActivity.toISOString() }),
    roles: row.roles,
    permissions: row.permissions,
    ...(row.lastJoin && { lastJoin: row.lastJoin.toISOString() }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
