import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { ChannelPermission, CommunityPermission, Permission } from '#server/core/permission-names.ts'
import { grants, networkRankOf, roleRankOf } from '#server/core/role-permissions.ts'

/** The permission needed to act in a community: the community's own, or the network's. */
export const COMMUNITY_ACTIONS = {
  /** Reading the review queue and deciding (docs/interface/review-queue.md#who-may-read-it). */
  reviewComments: { local: 'REVIEW_COMMUNITY_COMMENT', network: 'MANAGE_POST_AND_COMMENT' },
  reviewPosts: { local: 'REVIEW_COMMUNITY_POST', network: 'MANAGE_POST_AND_COMMENT' },
  editComments: { local: 'EDIT_COMMUNITY_COMMENT', network: 'MANAGE_POST_AND_COMMENT' },
  deleteComments: { local: 'DELETE_COMMUNITY_COMMENT', network: 'MANAGE_POST_AND_COMMENT' },
  editPosts: { local: 'EDIT_COMMUNITY_POST', network: 'MANAGE_POST_AND_COMMENT' },
  deletePosts: { local: 'DELETE_COMMUNITY_POST', network: 'MANAGE_POST_AND_COMMENT' },
  banMembers: { local: 'BAN_COMMUNITY_USER', network: 'BAN_USER' },
  muteMembers: { local: 'MUTE_COMMUNITY_USER', network: 'BAN_USER' },
  addMembers: { local: 'ADD_COMMUNITY_USER', network: 'EDIT_USER' },
  removeMembers: { local: 'REMOVE_COMMUNITY_USER', network: 'EDIT_USER' },
  /** Assigning community roles (docs/interface/community-members-and-roles.md#assign-roles). */
  assignRoles: { local: 'ASSIGN_COMMUNITY_USER_ROLE', network: 'ASSIGN_USER_ROLE' },
  edit: { local: 'EDIT_COMMUNITY', network: 'MANAGE_NETWORK_SETTINGS' },
  manageRules: { local: 'MANAGE_RULES', network: 'MANAGE_RULES' },
  delete: { local: 'DELETE_COMMUNITY', network: 'MANAGE_NETWORK_SETTINGS' },
} as const satisfies Record<string, { local: CommunityPermission; network: Permission }>

const { reviewComments, reviewPosts } = COMMUNITY_ACTIONS
/** With any of these in a community, people review comments or posts there. */
export const REVIEWING_LOCALLY = [reviewComments.local, reviewPosts.local]
/** With any of these in a network role, people review everywhere. */
export const REVIEWING_EVERYWHERE = [reviewComments.network, ...REVIEWING_LOCALLY]

/** The permission needed to act in a channel: the channel's own, or the network's. */
export const CHANNEL_ACTIONS = {
  banMembers: { local: 'BAN_USER_FROM_CHANNEL', network: 'BAN_USER' },
  muteMembers: { local: 'MUTE_USER_INSIDE_CHANNEL', network: 'BAN_USER' },
  addMembers: { local: 'ADD_CHANNEL_USER', network: 'EDIT_USER' },
  removeMembers: { local: 'REMOVE_CHANNEL_USER', network: 'EDIT_USER' },
  assignRoles: { local: 'ASSIGN_CHANNEL_USER_ROLE', network: 'ASSIGN_USER_ROLE' },
  edit: { local: 'EDIT_CHANNEL', network: 'MANAGE_NETWORK_SETTINGS' },
  mute: { local: 'MUTE_CHANNEL', network: 'BAN_USER' },
  /** No permission covers deleting: it closes a channel for good. */
  delete: { local: 'CLOSE_CHANNEL', network: 'MANAGE_NETWORK_SETTINGS' },
  deleteMessages: { local: 'DELETE_MESSAGE', network: 'MANAGE_POST_AND_COMMENT' },
} as const satisfies Record<string, { local: ChannelPermission; network: Permission }>

export type CommunityAction = keyof typeof COMMUNITY_ACTIONS
export type ChannelAction = keyof typeof CHANNEL_ACTIONS

/** Whether the caller, in admin context, holds this network permission. */
export function holds(ctx: Ctx, permission: Permission): boolean {
  return ctx.actor.kind === 'admin' && ctx.actor.permissions.has(permission)
}

/** Whether the caller may do this in every community of the network. */
export function mayEverywhere(ctx: Ctx, action: CommunityAction): boolean {
  const { local, network } = COMMUNITY_ACTIONS[action]
  return holds(ctx, network) || holds(ctx, local)
}

/**
 * Whether the caller may do this in the community that the column of the stored row names, as an SQL condition: the statement that reads or
 * writes the row takes the scope from it, never from the caller's input.
 */
export function mayInCommunity(ctx: Ctx, action: CommunityAction, communityColumn: Sql): Sql {
  if (mayEverywhere(ctx, action)) return sql`(${communityColumn} is not null)`
  const userId = actingUserId(ctx)
  if (userId === undefined) return sql`false`
  return sql`exists (
    select from community_user mine
    where mine.community_id = ${communityColumn} and mine.user_id = ${userId} and ${mayByRow(sql`mine`, COMMUNITY_ACTIONS[action].local)})`
}

/** `mayInCommunity` where the caller's row of that community is already in the statement, under this alias. */
export function mayInCommunityByRow(ctx: Ctx, action: CommunityAction, row: Sql): Sql {
  return mayEverywhere(ctx, action) ? sql`true` : mayByRow(row, COMMUNITY_ACTIONS[action].local)
}

/**
 * Whether the caller may do each of these in a community: a query for one row with a column for each, by the names given. Looks the caller's
 * membership up once, where `mayInCommunity` does for each.
 */
export function mayEachInCommunity(ctx: Ctx, actions: Record<string, CommunityAction>, communityColumn: Sql): Sql {
  const named = Object.entries(actions)
  const columns = named.map(([name, action]) => {
    const granted = sql`coalesce(bool_or(${COMMUNITY_ACTIONS[action].local} = any(granting.permissions)), false)`
    return sql`${mayEverywhere(ctx, action) ? sql`true` : granted} as ${sql.raw(name)}`
  })
  if (named.every(([, action]) => mayEverywhere(ctx, action))) return sql`select ${sql.join(columns)}`
  return sql`
    select ${sql.join(columns)}
    from community_user mine join role granting on granting.role_id = any(mine.roles) and not granting.is_deleted
    where mine.community_id = ${communityColumn} and mine.user_id = ${actingUserId(ctx) ?? null}
      and mine.membership = 'member' and not mine.is_deleted`
}

/** Whether the caller may do this in every channel of the network. */
export function mayInEveryChannel(ctx: Ctx, action: ChannelAction): boolean {
  const { local, network } = CHANNEL_ACTIONS[action]
  return holds(ctx, network) || holds(ctx, local)
}

/** Whether the caller may do this in the channel that the column of the stored row names, as an SQL condition. */
export function mayInChannel(ctx: Ctx, action: ChannelAction, channelColumn: Sql): Sql {
  if (mayInEveryChannel(ctx, action)) return sql`(${channelColumn} is not null)`
  const userId = actingUserId(ctx)
  if (userId === undefined) return sql`false`
  return sql`exists (
    select from channel_user mine
    where mine.channel_id = ${channelColumn} and mine.user_id = ${userId} and ${mayByRow(sql`mine`, CHANNEL_ACTIONS[action].local)})`
}

/** `mayInChannel` where the caller's row of that channel is already in the statement, under this alias. */
export function mayInChannelByRow(ctx: Ctx, action: ChannelAction, row: Sql): Sql {
  return mayInEveryChannel(ctx, action) ? sql`true` : mayByRow(row, CHANNEL_ACTIONS[action].local)
}

function mayByRow(row: Sql, permission: CommunityPermission | ChannelPermission): Sql {
  return sql`(${isMember(row)} and ${grants(sql`${row}.roles`, permission)})`
}

/** Whether the person of this row is a member. */
function isMember(row: Sql): Sql {
  return sql`${row}.membership = 'member' and not ${row}.is_deleted`
}

/** One community or channel. */
export type Space = { communityId: string | Sql } | { channelId: string | Sql }

/** How far an act on a person reaches: one community or channel, or everywhere. */
export type Reach = Space | 'network'

/**
 * The rank of the user that the column names, as an SQL expression: the highest of their network roles and of the roles they hold in the
 * spaces that the act reaches. An act on the whole network or on an account reaches every space, so all their roles count. Uses
 * community_user_user_id_idx and channel_user_user_id_idx.
 */
export function rankOf(userColumn: Sql, reach: Reach): Sql {
  return reach === 'network'
    ? sql`greatest(${networkRank(userColumn)}, ${heldRank('community', userColumn)}, ${heldRank('channel', userColumn)})`
    : sql`greatest(${networkRank(userColumn)}, ${localRank(userColumn, reach)})`
}

/** The rank of a user in one space, where their row of it is already in the statement, under this alias. */
export function rankByRow(userColumn: Sql, row: Sql): Sql {
  return sql`greatest(${networkRank(userColumn)}, ${rowRank(row)})`
}

function networkRank(userColumn: Sql): Sql {
  return sql`coalesce((
    select ${networkRankOf(sql`ranked.roles`)} from network_user ranked where ranked.user_id = ${userColumn} and ranked.roles <> '{}'), 0)`
}

/**
 * The caller's rank: that of their network roles in admin context, or of the roles they hold in the space that the act reaches, whichever
 * is higher. Roles in one space do not count beyond it.
 */
export function ownRank(ctx: Ctx, reach: Reach): Sql {
  const userId = actingUserId(ctx)
  if (userId === undefined || reach === 'network') return ownNetworkRank(ctx)
  return sql`greatest(${ownNetworkRank(ctx)}, ${localRank(sql`${userId}::text`, reach)})`
}

/** The caller's rank in one space, where their row of it is already in the statement, under this alias. */
export function ownRankByRow(ctx: Ctx, row: Sql): Sql {
  return sql`greatest(${ownNetworkRank(ctx)}, ${rowRank(row)})`
}

function ownNetworkRank(ctx: Ctx): Sql {
  return ctx.actor.kind === 'admin' ? sql`${ctx.actor.rank}::int` : sql`0`
}

/** 0 if they hold no role there. */
function localRank(userColumn: Sql, space: Space): Sql {
  return 'communityId' in space
    ? heldRank('community', userColumn, sql`and held.community_id = ${space.communityId}`)
    : heldRank('channel', userColumn, sql`and held.channel_id = ${space.channelId}`)
}

/** The rank of the roles in this row of a space. */
function rowRank(row: Sql): Sql {
  return sql`case when ${isMember(row)} then ${roleRankOf(sql`${row}.roles`)} else 0 end`
}

function heldRank(kind: 'community' | 'channel', userColumn: Sql, where = sql.empty): Sql {
  const table = kind === 'community' ? sql`community_user` : sql`channel_user`
  return sql`coalesce((
    select max(${roleRankOf(sql`held.roles`)}) from ${table} held
    where held.user_id = ${userColumn} and held.membership = 'member' and not held.is_deleted and held.roles <> '{}' ${where}), 0)`
}
