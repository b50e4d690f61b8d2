import { z } from 'zod'
import { MutePeriod } from '#server/core/mute-period.ts'
import { optionalName, ResourceId, text } from '#server/core/text.ts'
import {
  AnyObject,
  ListFields,
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
import { PeopleOrder, User } from '#server/modules/accounts/users/schema.ts'
import { File } from '#server/modules/media/files/schema.ts'

// ── Resources ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A deleted message has no body (docs/interface/channels.md#channel-envelope). */
export const MessagePreview = z
  .object({
    messageId: z.string(),
    channelId: z.string(),
    messageFeedId: z.string(),
    segment: z.int().optional(),
    dataType: z.string(),
    data: StoredObject.optional(),
    creatorId: z.string(),
    /** `creatorId` again: SDKs know the author only by this name. */
    creatorPublicId: z.string(),
    parentId: z.string().optional(),
    isDeleted: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'MessagePreview' })
export type MessagePreview = z.output<typeof MessagePreview>

/** The feed of a previewed message (docs/interface/channels.md#channel-envelope). */
export const MessageFeedInfo = z
  .object({
    messageFeedId: z.string(),
    name: z.string().optional(),
    messagePreviewId: z.string(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'MessageFeedInfo' })
export type MessageFeedInfo = z.output<typeof MessageFeedInfo>

export const ChannelType = z.enum(['community', 'conversation', 'live', 'broadcast'])
export type ChannelType = z.output<typeof ChannelType>

/** A channel (docs/interface/channels.md#channel). Fields without a value are left out, never null. */
export const Channel = z
  .object({
    channelId: z.string(),
    _id: z.string(),
    path: RecordPath,
    channelInternalId: z.string(),
    channelPublicId: z.string(),
    createdAt: Time,
    updatedAt: Time,
    lastActivity: Time,
    lastMessageAt: Time.optional(),
    muteTimeout: Time.optional(),
    rateLimitTimeout: Time.optional(),
    isDistinct: z.boolean(),
    isMuted: z.boolean(),
    isRateLimited: z.boolean(),
    messageAutoDeleteEnabled: z.boolean(),
    isDeleted: z.boolean(),
    isPublic: z.boolean(),
    metadata: StoredObject.optional(),
    type: ChannelType,
    tags: z.array(z.string()),
    rateLimit: z.int().optional(),
    /** Milliseconds. */
    rateLimitWindow: z.int().optional(),
    autoDeleteMessageByFlagLimit: z.int().optional(),
    memberCount: z.int(),
    messageCount: z.int(),
    displayName: z.string().optional(),
    avatarFileId: z.string().optional(),
    messagePreviewId: z.string().optional(),
    notificationMode: z.enum(['default', 'silent', 'subscribe']),
    attachedTo: z
      .object({ postId: z.string().optional(), videoStreamId: z.string().optional(), roomId: z.string().optional() })
      .optional(),
    pinnedMessage: MessagePreview.extend({ pinnedBy: z.string().optional(), pinnedAt: Time.optional() })
      .meta({ id: 'PinnedMessage' })
      .optional(),
  })
  .meta({ id: 'Channel' })
export type Channel = z.output<typeof Channel>

/** Muted while `muteTimeout` is in the future (docs/interface/channel-members.md#channel-user). */
export const ChannelUser = z
  .object({
    userId: z.string(),
    userInternalId: z.string(),
    userPublicId: z.string(),
    channelId: z.string(),
    channelInternalId: z.string(),
    channelPublicId: z.string(),
    membership: z.enum(['none', 'member', 'banned']),
    isBanned: z.boolean(),
    lastActivity: Time.optional(),
    muteTimeout: Time.optional(),
    createdAt: Time,
    updatedAt: Time,
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
    readToSegment: z.int(),
    lastMentionedSegment: z.int(),
    isMuted: z.boolean(),
  })
  .meta({ id: 'ChannelUser' })
export type ChannelUser = z.output<typeof ChannelUser>

/** What channel endpoints return (docs/interface/channels.md#channel-envelope). */
export const ChannelEnvelope = z
  .object({
    channels: z.array(Channel),
    channelUsers: z.array(ChannelUser),
    messagePreviews: z.array(MessagePreview),
    messageFeedsInfo: z.array(MessageFeedInfo),
    users: z.array(User),
    files: z.array(File),
  })
  .meta({ id: 'ChannelEnvelope' })
export type ChannelEnvelope = z.output<typeof ChannelEnvelope>

/** A page of channels: `paging` has no token at the ends of the list. */
export const ChannelPage = ChannelEnvelope.extend({ paging: Paging }).meta({ id: 'ChannelPage' })
export type ChannelPage = z.output<typeof ChannelPage>

// ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

export const ChannelParams = z.object({ channelId: ResourceId })
export type ChannelParams = z.output<typeof ChannelParams>

const RoleId = text({ min: 1, max: 900 })
const AssignedRole = text({ min: 1, max: 100 })
const Tag = text({ min: 1, max: 100 })

/** One user named twice counts once (docs/interface/conventions.md#all-or-nothing). */
export const ChannelUserIds = z.object({ userIds: UserIds })
export type ChannelUserIds = z.output<typeof ChannelUserIds>

export const MuteUsers = z.object({ userIds: UserIds, mutePeriod: MutePeriod })
export type MuteUsers = z.output<typeof MuteUsers>

export const MuteChannel = z.object({ mutePeriod: MutePeriod })
export type MuteChannel = z.output<typeof MuteChannel>

export const ChannelUsersRole = z.object({ userIds: UserIds, role: AssignedRole })
export type ChannelUsersRole = z.output<typeof ChannelUsersRole>

/** A DELETE takes these in its body or its query string. */
export const UserIdsAnywhere = z.object({ userIds: listOf(UserId, { min: 1, max: 100 }) })
export const UsersRoleAnywhere = UserIdsAnywhere.extend({ role: AssignedRole })

/** Parameters of docs/interface/channel-members.md#list-members. */
export const MembersQuery = z.object({
  roles: listOf(RoleId, { min: 1, max: 20 }).optional(),
  filter: z.enum(['all', 'muted', 'banned', 'member&banned']).default('all'),
  sortBy: PeopleOrder,
  ...ListFields,
})
export type MembersQuery = z.output<typeof MembersQuery>

const MemberKind = z.enum(['member', 'banned', 'muted'])
export type MemberKind = z.output<typeof MemberKind>

/** `role` and `roles` mean the same; `search` matches names (docs/interface/channel-members.md#list-members-version-4). */
export const MembersQueryV4 = z.object({
  memberships: listOf(MemberKind, { min: 1, max: 3 }).default(['member']),
  role: RoleId.optional(),
  roles: listOf(RoleId, { min: 1, max: 20 }).optional(),
  search: text({ max: 255 }).optional(),
  isBrand: QueryFlag.optional(),
  sortBy: PeopleOrder,
  ...ListFields,
})
export type MembersQueryV4 = z.output<typeof MembersQueryV4>

export const ChannelSort = z
  .enum(['lastActivity', 'lastCreated', 'firstCreated', 'displayName'])
  .default('lastActivity')
export type ChannelSort = z.output<typeof ChannelSort>

/** `userId` selects whose memberships `filter` is about; only staff may name another user (docs/interface/channels.md#list-channels). */
export const ChannelsQuery = z.object({
  keyword: text({ max: 255 }).optional(),
  types: listOf(ChannelType, { max: 4 }).optional(),
  tags: listOf(Tag, { max: 10 }).optional(),
  excludeTags: listOf(Tag, { max: 10 }).optional(),
  filter: SpaceFilter,
  userId: UserId.optional(),
  sortBy: ChannelSort,
  ...ListFields,
})
export type ChannelsQuery = z.output<typeof ChannelsQuery>

export const ChannelIdsQuery = z.object({ channelIds: listOf(ResourceId, { min: 1, max: 10 }) })

const Described = {
  displayName: optionalName({ max: 255 }).optional(),
  avatarFileId: ResourceId.optional(),
  metadata: AnyObject.optional(),
  tags: z.array(Tag).max(100).default([]),
}

/** `channelId` is generated where it is absent. Conversations have an endpoint of their own. */
export const NewChannel = z.object({
  channelId: ResourceId.optional(),
  type: z.enum(['community', 'live', 'broadcast']).default('community'),
  isPublic: z.boolean().default(true),
  userIds: z.array(UserId).max(100).default([]),
  ...Described,
})
export type NewChannel = z.output<typeof NewChannel>

/** Up to ten others; by default the same people get the same conversation (docs/interface/channels.md#start-a-conversation). */
export const NewConversation = z.object({
  userIds: z.array(UserId).min(1).max(10),
  isDistinct: z.boolean().default(true),
  ...Described,
})
export type NewConversation = z.output<typeof NewConversation>

/** The writable fields of a channel: absent stays as it is, null clears it. */
export const ChannelChange = z
  .object({
    displayName: optionalName({ max: 255 }).nullish(),
    avatarFileId: ResourceId.nullish(),
    metadata: AnyObject.nullish(),
    tags: z.array(Tag).max(100).optional(),
    isPublic: z.boolean().optional(),
  })
  .meta({ id: 'ChannelChange' })
export type ChannelChange = z.output<typeof ChannelChange>
