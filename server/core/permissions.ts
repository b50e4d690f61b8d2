import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'

export const COMMUNITY_PERMISSIONS = [
  'ADD_COMMUNITY_USER',
  'REMOVE_COMMUNITY_USER',
  'EDIT_COMMUNITY_USER',
  'BAN_COMMUNITY_USER',
  'MUTE_COMMUNITY_USER',
  'EDIT_COMMUNITY',
  'DELETE_COMMUNITY',
  'EDIT_COMMUNITY_POST',
  'DELETE_COMMUNITY_POST',
  'PIN_COMMUNITY_POST',
  'EDIT_COMMUNITY_COMMENT',
  'DELETE_COMMUNITY_COMMENT',
  'ASSIGN_COMMUNITY_USER_ROLE',
  'MANAGE_COMMUNITY_STORY',
  'REVIEW_COMMUNITY_COMMENT',
  'REVIEW_COMMUNITY_POST',
] as const

export const CHANNEL_PERMISSIONS = [
  'MUTE_CHANNEL',
  'CLOSE_CHANNEL',
  'EDIT_CHANNEL',
  'EDIT_CHANNEL_RATELIMIT',
  'EDIT_MESSAGE',
  'DELETE_MESSAGE',
  'BAN_USER_FROM_CHANNEL',
  'MUTE_USER_INSIDE_CHANNEL',
  'ADD_CHANNEL_USER',
  'REMOVE_CHANNEL_USER',
  'EDIT_CHANNEL_USER',
  'ASSIGN_CHANNEL_USER_ROLE',
] as const

export const NETWORK_PERMISSIONS = [
  'MANAGE_POST_AND_COMMENT',
  'BAN_USER',
  'EDIT_USER',
  'ASSIGN_USER_ROLE',
  'CREATE_ROLE',
  'EDIT_ROLE',
  'DELETE_ROLE',
  'EDIT_USER_FEED_POST',
  'DELETE_USER_FEED_POST',
  'EDIT_USER_FEED_COMMENT',
  'DELETE_USER_FEED_COMMENT',
  'CREATE_COMMUNITY_CATEGORY',
  'EDIT_COMMUNITY_CATEGORY',
  'DELETE_COMMUNITY_CATEGORY',
  'VIEW_USERS',
  'VIEW_CHANNELS',
  'VIEW_HISTORY',
  'MANAGE_NETWORK_SETTINGS',
  'MANAGE_STAFF',
  'MANAGE_CREDENTIALS',
  'READ_CONVERSATIONS',
] as const

export type CommunityPermission = (typeof COMMUNITY_PERMISSIONS)[number]
export type Permission =
  | CommunityPermission
  | (typeof CHANNEL_PERMISSIONS)[number]
  | (typeof NETWORK_PERMISSIONS)[number]

/** The one spelling a permission is stored in: both `ReviewCommunityComment` and `REVIEW_COMMUNITY_COMMENT` give the latter. */
export function permissionName(spelling: string): string {
  return /[a-z]/.test(spelling) ? spelling.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase() : spelling
}

/** What one needs to do something with a community's content: the community's own permission, or the network's. */
const COMMUNITY_ACTIONS = {
  /** INTERFACE.md, endpoint 1: ReviewCommunityComment, or admin ManagePostAndComment. */
  reviewComments: { community: 'REVIEW_COMMUNITY_COMMENT', network: 'MANAGE_POST_AND_COMMENT' },
} as const satisfies Record<string, { community: CommunityPermission; network: Permission }>

export type CommunityAction = keyof typeof COMMUNITY_ACTIONS

/** Whether the caller may do this in every community of the network. */
export function mayEverywhere(ctx: Ctx, action: CommunityAction): boolean {
  const { community, network } = COMMUNITY_ACTIONS[action]
  return ctx.actor.kind === 'admin' && (ctx.actor.permissions.has(network) || ctx.actor.permissions.has(community))
}

/**
 * Whether the caller may do this in the community that the column of the stored row names, as an SQL condition: the scope is
 * taken in the statement that reads or writes the row, never from what the caller says.
 */
export function mayInCommunity(ctx: Ctx, action: CommunityAction, communityColumn: Sql): Sql {
  if (mayEverywhere(ctx, action)) return Prisma.sql`(${communityColumn} is not null)`
  const userId = actingUserId(ctx)
  if (userId === undefined) return Prisma.sql`false`
  return Prisma.sql`exists (
    select from community_user mine
    where mine.community_id = ${communityColumn} and mine.user_id = ${userId}
      and mine.membership = 'member' and not mine.is_deleted
      and ${COMMUNITY_ACTIONS[action].community} = any(role_permissions(mine.roles)))`
}
