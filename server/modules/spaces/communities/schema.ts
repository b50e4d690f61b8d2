import { z } from 'zod'
import { MutePeriod } from '#server/core/mute-period.ts'
import { ResourceId, text, visibleText } from '#server/core/text.ts'
import {
  AnyObject,
  EitherFlag,
  ListOptions,
  listOf,
  Paging,
  QueryFlag,
  RecordPath,
  SpaceFilter,
  StoredObject,
  Time,
  UserId,
  UserIds,
} from '#server/core/wire/schema.ts'
import { Role } from '#server/modules/accounts/roles/schema.ts'
import { PeopleOrder, SearchedIn, User } from '#server/modules/accounts/users/schema.ts'
import { File } from '#server/modules/media/files/schema.ts'

/** Length 1 to 900 (docs/interface/conventions.md#lengths-and-characters). */
export const CommunityId = ResourceId

/** docs/interface/community-members-and-roles.md#community-user. Fields without a value are left out, never null. */
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
    /** Muted while it is in the future. */
    muteTimeout: Time.optional(),
    lastActivity: Time.optional(),
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
    lastJoin: Time.optional(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'CommunityUser' })
export type CommunityUser = z.output<typeof CommunityUser>

/** docs/interface/communities.md#community. Fields without a value are left out, never null. The three counts are exact. */
export const Community = z
  .object({
    communityId: z.string(),
    channelId: z.string().optional(),
    displayName: z.string().optional(),
    _id: z.string(),
    path: RecordPath,
    userId: z.string().optional(),
    userPublicId: z.string().optional(),
    userInternalId: z.string().optional(),
    avatarFileId: z.string().optional(),
    description: z.string().optional(),
    isOfficial: z.boolean(),
    isPublic: z.boolean(),
    onlyAdminCanPost: z.boolean(),
    /** Whether the caller is a member. */
    isJoined: z.boolean(),
    isDeleted: z.boolean(),
    hasFlaggedComment: z.boolean(),
    hasFlaggedPost: z.boolean(),
    needApprovalOnPostCreation: z.boolean(),
    needApprovalOnCommentCreation: z.boolean(),
    allowCommentInStory: z.boolean(),
    isDiscoverable: z.boolean(),
    requiresJoinApproval: z.boolean(),
    tags: z.array(z.string()),
    categoryIds: z.array(z.string()),
    metadata: StoredObject.optional(),
    postsCount: z.int(),
    membersCount: z.int(),
    moderatorMemberCount: z.int(),
    createdAt: Time,
    updatedAt: Time,
    notificationMode: z.enum(['default', 'silent', 'subscribe']),
    type: z.enum(['default', 'event']),
  })
  .meta({ id: 'Community' })
export type Community = z.output<typeof Community>

/** A category of communities (docs/interface/communities.md#category). */
export const Category = z
  .object({
    categoryId: z.string(),
    name: z.string().optional(),
    avatarFileId: z.string().optional(),
    metadata: StoredObject.optional(),
    isDeleted: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Category' })
export type Category = z.output<typeof Category>

/** The posts of a target in one state of review (docs/interface/communities.md#feed). */
export const Feed = z
  .object({
    targetId: z.string().optional(),
    targetType: z.string().optional(),
    postCount: z.int(),
    feedType: z.enum(['reviewing', 'published', 'declined']),
    feedId: z.string(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Feed' })
export type Feed = z.output<typeof Feed>

/** What community endpoints return (docs/interface/communities.md#envelope). */
export const CommunitiesAnswer = z
  .object({
    communities: z.array(Community),
    communityUsers: z.array(CommunityUser),
    files: z.array(File),
    users: z.array(User),
    roles: z.array(Role),
    categories: z.array(Category),
    feeds: z.array(Feed),
  })
  .meta({ id: 'Communities' })
export type CommunitiesAnswer = z.output<typeof CommunitiesAnswer>

export const CommunitiesPage = CommunitiesAnswer.extend({ paging: Paging }).meta({ id: 'CommunitiesPage' })
export type CommunitiesPage = z.output<typeof CommunitiesPage>

/** A page of communities: by default 10, newest first (docs/interface/communities.md#list-communities). */
export const CommunitiesQuery = z.object({
  keyword: text({ max: 1_024 }).optional(),
  tags: listOf(text({ min: 1, max: 100 }), { max: 10 }).default([]),
  filter: SpaceFilter,
  categoryId: text({ max: 900 }).optional(),
  sortBy: PeopleOrder,
  isDeleted: EitherFlag,
  hasFlag: QueryFlag.optional(),
  /** Whether to list discoverable private communities for people who aren't members. */
  includeDiscoverablePrivateCommunity: QueryFlag.default(false),
  options: ListOptions,
})
export type CommunitiesQuery = z.output<typeof CommunitiesQuery>

export const CommunitiesById = z.object({ communityIds: listOf(CommunityId, { min: 1, max: 100 }) })

export const OwnPermissions = z.object({ permissions: z.array(z.string()) }).meta({ id: 'OwnPermissions' })
export type OwnPermissions = z.output<typeof OwnPermissions>

/** A page of members: by default 10, newest first, no banned people (docs/interface/community-members-and-roles.md#list-members). */
export const MembersQuery = z.object({
  memberships: listOf(z.enum(['member', 'banned']), { min: 1, max: 2 }).default(['member']),
  roles: listOf(text({ min: 1, max: 900 }), { min: 1, max: 20 }).optional(),
  search: text({ max: 1_024 }).optional(),
  searchBy: SearchedIn.default(['displayName']),
  sortBy: PeopleOrder,
  isDeleted: EitherFlag,
  isBrand: EitherFlag,
  options: ListOptions,
})
export type MembersQuery = z.output<typeof MembersQuery>

export const Members = z.object({ userIds: UserIds }).meta({ id: 'CommunityMembers' })
export const MembersMuted = z.object({ userIds: UserIds, mutePeriod: MutePeriod }).meta({ id: 'MembersMuted' })

const RoleId = text({ min: 1, max: 100 })
const Removed = listOf(UserId, { min: 1, max: 100 })

/** Body of docs/interface/community-members-and-roles.md#assign-roles. */
export const RoleToMembers = z.object({ role: RoleId, userIds: UserIds }).meta({ id: 'RoleToMembers' })
export const RolesToMembers = z
  .object({ roles: z.array(RoleId).min(1).max(20), userIds: UserIds })
  .meta({ id: 'RolesToMembers' })

/** A DELETE takes these in its body or its query (docs/interface/conventions.md#arrays-and-objects-in-queries). */
export const MembersRemoved = z.object({ userIds: Removed }).meta({ id: 'MembersRemoved' })
export const RoleFromMembers = z.object({ role: RoleId, userIds: Removed }).meta({ id: 'RoleFromMembers' })
export const RolesFromMembers = z
  .object({ roles: listOf(RoleId, { min: 1, max: 20 }), userIds: Removed })
  .meta({ id: 'RolesFromMembers' })

/** The writable fields of a community: absent stays as it is, null clears it. */
export const CommunityChange = z
  .object({
    displayName: visibleText({ max: 255 }).optional(),
    description: text({ max: 20_000 }).nullish(),
    avatarFileId: text({ min: 1, max: 900 }).nullish(),
    isOfficial: z.boolean().optional(),
    isPublic: z.boolean().optional(),
    onlyAdminCanPost: z.boolean().optional(),
    needApprovalOnPostCreation: z.boolean().optional(),
    needApprovalOnCommentCreation: z.boolean().optional(),
    allowCommentInStory: z.boolean().optional(),
    isDiscoverable: z.boolean().optional(),
    requiresJoinApproval: z.boolean().optional(),
    tags: z
      .array(text({ min: 1, max: 100 }))
      .max(10)
      .optional(),
    categoryIds: z
      .array(text({ min: 1, max: 900 }))
      .max(100)
      .optional(),
    metadata: AnyObject.nullish(),
  })
  .meta({ id: 'CommunityChange' })
export type CommunityChange = z.output<typeof CommunityChange>

export const NewCommunity = CommunityChange.extend({
  displayName: visibleText({ max: 255 }),
  /** The initial members, besides the creator. */
  userIds: z.array(UserId).max(100).default([]),
}).meta({ id: 'NewCommunity' })
export type NewCommunity = z.output<typeof NewCommunity>

// ── Join requests ───────────────────────────────────────────────────────────────────────────────────────────────────

const JoinRequestStatus = z.enum(['pending', 'approved', 'rejected', 'cancelled'])

/** docs/interface/community-members-and-roles.md#join-requests. Fields without a value are left out, never null. */
export const JoinRequest = z
  .object({
    joinRequestId: z.string(),
    _id: z.string(),
    networkId: z.string(),
    type: z.literal('communityJoinRequest'),
    targetType: z.literal('community'),
    targetId: z.string(),
    userId: z.string(),
    requestorId: z.string(),
    requestorPublicId: z.string(),
    requestorInternalId: z.string(),
    status: JoinRequestStatus,
    respondedAt: Time.optional(),
    responderId: z.string().optional(),
    responderPublicId: z.string().optional(),
    responderInternalId: z.string().optional(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'JoinRequest' })
export type JoinRequest = z.output<typeof JoinRequest>

export const JoinRequests = CommunitiesAnswer.extend({ joinRequests: z.array(JoinRequest) }).meta({
  id: 'JoinRequests',
})
export type JoinRequests = z.output<typeof JoinRequests>

export const JoinRequestsPage = JoinRequests.extend({ paging: Paging }).meta({ id: 'JoinRequestsPage' })
export type JoinRequestsPage = z.output<typeof JoinRequestsPage>

/** Pending ones by default, in pages of 10 by default. */
export const JoinRequestsQuery = z.object({ status: JoinRequestStatus.default('pending'), options: ListOptions })
export type JoinRequestsQuery = z.output<typeof JoinRequestsQuery>

/** The requester, by public or internal id. */
export const DecideJoinRequest = z.object({ userId: UserId }).meta({ id: 'DecideJoinRequest' })
export type DecideJoinRequest = z.output<typeof DecideJoinRequest>
