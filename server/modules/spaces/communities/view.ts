import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { communityPath } from '#server/core/record-path.ts'
import { eachOnce, permissionsOf } from '#server/core/role-permissions.ts'
import { timestampIfAny, timestampOf } from '#server/core/wire/timestamp.ts'
import { counted } from '#server/modules/ledger/counts/counted.ts'
import type { Category, Community, CommunityUser, Feed } from '#server/modules/spaces/communities/schema.ts'

/** The stored part of what `toCommunityUserView` reads, selected from `community_user cu`. */
export const STORED_COMMUNITY_USER_COLUMNS = sql`
  cu.user_id, cu.community_id, cu.membership, cu.not_member_reason, cu.last_activity, cu.mute_timeout, cu.roles,
  ${permissionsOf(sql`cu.roles`)} as permissions, cu.last_join, cu.created_at, cu.updated_at`

/** What `toCommunityUserView` reads, selected from `community_user cu`, its `community k` and its `network_user u`. */
export const COMMUNITY_USER_COLUMNS = sql`
  ${STORED_COMMUNITY_USER_COLUMNS}, u.internal_id as user_internal_id, k.channel_id`

export interface StoredCommunityUser {
  userId: string
  communityId: string
  membership: CommunityUser['communityMembership']
  notMemberReason: string | null
  lastActivity: Date | null
  muteTimeout: Date | null
  roles: string[]
  permissions: string[]
  lastJoin: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface CommunityUserRow extends StoredCommunityUser {
  userInternalId: string
  channelId: string | null
}

/** The shape of docs/interface/community-members-and-roles.md#community-user. */
export function toCommunityUserView(row: CommunityUserRow): CommunityUser {
  return {
    userId: row.userId,
    userPublicId: row.userId,
    userInternalId: row.userInternalId,
    channelId: row.channelId ?? undefined,
    communityId: row.communityId,
    communityMembership: row.membership,
    notMemberReason: row.notMemberReason ?? undefined,
    isBanned: row.membership === 'banned',
    muteTimeout: timestampIfAny(row.muteTimeout),
    lastActivity: timestampIfAny(row.lastActivity),
    roles: row.roles,
    permissions: eachOnce(row.permissions),
    lastJoin: timestampIfAny(row.lastJoin),
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  }
}

/** What `toCommunityView` reads, selected from `community k`, beside `isJoined`: whether the caller is a member. */
export const COMMUNITY_COLUMNS = sql`
  k.community_id, k.internal_id, k.channel_id, k.display_name,
  k.user_id, (select maker.internal_id from network_user maker where maker.user_id = k.user_id) as user_internal_id,
  k.avatar_file_id, k.description, k.is_official, k.is_public,
  k.only_admin_can_post, k.has_flagged_comment, k.has_flagged_post,
  k.need_approval_on_post_creation,
  k.need_approval_on_comment_creation, k.allow_comment_in_story,
  k.is_discoverable, k.requires_join_approval, k.is_deleted, k.tags,
  k.category_ids, k.metadata, k.notification_mode, k.type,
  ${counted('community_posts', sql`k.community_id`)} as posts_count,
  ${counted('community_members', sql`k.community_id`)} as members_count,
  ${counted('community_moderators', sql`k.community_id`)} as moderator_member_count,
  k.created_at, k.updated_at`

export interface CommunityRow {
  communityId: string
  internalId: string
  channelId: string | null
  displayName: string | null
  userId: string | null
  userInternalId: string | null
  avatarFileId: string | null
  description: string | null
  isOfficial: boolean
  isPublic: boolean
  onlyAdminCanPost: boolean
  isJoined: boolean
  hasFlaggedComment: boolean
  hasFlaggedPost: boolean
  needApprovalOnPostCreation: boolean
  needApprovalOnCommentCreation: boolean
  allowCommentInStory: boolean
  isDiscoverable: boolean
  requiresJoinApproval: boolean
  isDeleted: boolean
  tags: string[]
  categoryIds: string[]
  metadata: Record<string, unknown> | null
  notificationMode: Community['notificationMode']
  type: Community['type']
  postsCount: number
  membersCount: number
  moderatorMemberCount: number
  createdAt: Date
  updatedAt: Date
}

/** The shape of docs/interface/communities.md#community. */
export function toCommunityView({ networkId }: Ctx, row: CommunityRow): Community {
  return {
    communityId: row.communityId,
    channelId: row.channelId ?? undefined,
    displayName: row.displayName ?? undefined,
    _id: row.internalId,
    path: communityPath(networkId, row.internalId),
    userId: row.userId ?? undefined,
    userPublicId: row.userId ?? undefined,
    userInternalId: row.userInternalId ?? undefined,
    avatarFileId: row.avatarFileId ?? undefined,
    description: row.description ?? undefined,
    isOfficial: row.isOfficial,
    isPublic: row.isPublic,
    onlyAdminCanPost: row.onlyAdminCanPost,
    isJoined: row.isJoined,
    isDeleted: row.isDeleted,
    hasFlaggedComment: row.hasFlaggedComment,
    hasFlaggedPost: row.hasFlaggedPost,
    needApprovalOnPostCreation: row.needApprovalOnPostCreation,
    needApprovalOnCommentCreation: row.needApprovalOnCommentCreation,
    allowCommentInStory: row.allowCommentInStory,
    isDiscoverable: row.isDiscoverable,
    requiresJoinApproval: row.requiresJoinApproval,
    tags: row.tags,
    categoryIds: row.categoryIds,
    metadata: row.metadata ?? undefined,
    postsCount: row.postsCount,
    membersCount: row.membersCount,
    moderatorMemberCount: row.moderatorMemberCount,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
    notificationMode: row.notificationMode,
    type: row.type,
  }
}

/** What `toCategoryView` reads, selected from `category c`. */
export const CATEGORY_COLUMNS = sql`
  c.category_id, c.name, c.avatar_file_id, c.metadata, c.is_deleted,
  c.created_at, c.updated_at`

export interface CategoryRow {
  categoryId: string
  name: string | null
  avatarFileId: string | null
  metadata: Record<string, unknown> | null
  isDeleted: boolean
  createdAt: Date
  updatedAt: Date
}

/** The shape of docs/interface/communities.md#category. */
export function toCategoryView(row: CategoryRow): Category {
  return {
    categoryId: row.categoryId,
    name: row.name ?? undefined,
    avatarFileId: row.avatarFileId ?? undefined,
    metadata: row.metadata ?? undefined,
    isDeleted: row.isDeleted,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  }
}

/** What `toFeedView` reads, selected from `feed f`. */
export const FEED_COLUMNS = sql`
  f.feed_id, f.target_id, f.target_type, f.feed_type,
  ${counted('feed_posts', sql`f.feed_id`)} as post_count, f.created_at, f.updated_at`

export interface FeedRow {
  feedId: string
  targetId: string | null
  targetType: string | null
  feedType: Feed['feedType']
  postCount: number
  createdAt: Date
  updatedAt: Date
}

/** The shape of docs/interface/communities.md#feed. */
export function toFeedView(row: FeedRow): Feed {
  return {
    feedId: row.feedId,
    targetId: row.targetId ?? undefined,
    targetType: row.targetType ?? undefined,
    postCount: row.postCount,
    feedType: row.feedType,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  }
}
