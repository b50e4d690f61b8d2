import { z } from 'zod'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString, text } from '#server/core/text.ts'
import { PolicyId } from '#server/modules/network/policies/schema.ts'
import type { Channel } from '#server/modules/spaces/channels/schema.ts'
import { ChannelType } from '#server/modules/spaces/channels/schema.ts'
import type { Community } from '#server/modules/spaces/communities/schema.ts'

const Id = text({ min: 1, max: 900 })
const RoleId = text({ min: 1, max: 100 })
const Words = text({ max: 100 })
const Cursor = boundedString({ max: TOKEN_LENGTH })
const Limit = z.int().min(1).max(100)

/** The space whose members are meant. */
export const MemberSpace = z.discriminatedUnion('scope', [
  z.object({ scope: z.literal('channel'), channelId: Id }),
  z.object({ scope: z.literal('community'), communityId: Id }),
])
export type MemberSpace = z.output<typeof MemberSpace>

// ── Channels and communities ───────────────────────────────────────────────────────────────────────────────────────

/** Matches part of a name, an id or its beginning. `isMine`: only where the caller is a member. */
const SpacesInput = z.object({
  search: Words.optional(),
  tags: z.array(RoleId).max(10).optional(),
  isMine: z.boolean().default(false),
  cursor: Cursor.optional(),
  limit: Limit.default(30),
})
export const DeskChannelsInput = SpacesInput.extend({ types: z.array(ChannelType).max(4).optional() })
export type DeskChannelsInput = z.output<typeof DeskChannelsInput>

export const DeskCommunitiesInput = SpacesInput
export type DeskCommunitiesInput = z.output<typeof DeskCommunitiesInput>

/** What the caller may do with the members of a space. */
export interface MemberActs {
  ban: boolean
  mute: boolean
  add: boolean
  remove: boolean
  roles: boolean
}

/** A role that members of a space may hold, and whether the caller may grant it there. */
export interface SpaceRole {
  roleId: string
  displayName: string
  mayGrant: boolean
}

export interface DeskChannel {
  channel: Channel
  /** The author of the pinned message, and who pinned it, if the caller may read it. */
  pinned?: { authorName: string; pinnedByName?: string }
  roles: SpaceRole[]
  may: MemberActs & {
    /** Absent for conversations that the caller is not in: those are opened with a reason. */
    read: boolean
    open: boolean
  }
}

export interface DeskCommunity {
  community: Community
  roles: SpaceRole[]
  /** The last change of its settings that the log has. */
  changed?: { at: string; by?: string }
  may: MemberActs & { edit: boolean; review: boolean; rules: boolean }
}

/** The settings of a community that matter to moderation. */
export const COMMUNITY_SETTINGS = [
  'needApprovalOnCommentCreation',
  'needApprovalOnPostCreation',
  'requiresJoinApproval',
  'onlyAdminCanPost',
  'allowCommentInStory',
  'isPublic',
  'isDiscoverable',
] as const
export type CommunitySetting = (typeof COMMUNITY_SETTINGS)[number]

export const SetCommunity = z.object({
  communityId: Id,
  setting: z.enum(COMMUNITY_SETTINGS),
  isOn: z.boolean(),
})
export type SetCommunity = z.output<typeof SetCommunity>

// ── Members ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The four filters that REST has too (docs/interface/channel-members.md#filter-values). */
export const MEMBER_FILTERS = ['all', 'muted', 'banned', 'member&banned'] as const
export type MemberFilter = (typeof MEMBER_FILTERS)[number]
export const MEMBER_SORTS = ['lastCreated', 'firstCreated', 'displayName'] as const

/** The members to list: several roles mean any of them; the search term is part of a name, or an id. */
export const MembersCountInput = z.object({
  space: MemberSpace,
  filter: z.enum(MEMBER_FILTERS).default('all'),
  roles: z.array(RoleId).min(1).max(20).optional(),
  search: Words.optional(),
  isDeleted: z.boolean().optional(),
})
export type MembersCountInput = z.output<typeof MembersCountInput>

export const MembersInput = MembersCountInput.extend({
  sortBy: z.enum(MEMBER_SORTS).default('lastCreated'),
  cursor: Cursor.optional(),
  limit: Limit.default(20),
})
export type MembersInput = z.output<typeof MembersInput>

/** Exact up to 50,000. */
export interface MembersCount {
  count: number
  isLowerBound: boolean
}

/** Who, when, why and until when; an imported one has no record of it. */
export interface Sanction {
  by?: string
  at?: string
  reason?: string
  policyId?: string
  endsAt?: string
}

export interface DeskMember {
  userId: string
  displayName: string
  membership: 'none' | 'member' | 'banned'
  roles: string[]
  joinedAt: string
  lastActivity?: string
  isDeleted: boolean
  isGlobalBan: boolean
  ban?: Sanction
  mute?: Sanction
  /** Whether they rank below the caller, who may then act on them. */
  isBelow: boolean
  /** Which of their roles the caller may take: all of lower rank, and the moderator role of a peer. */
  removableRoles: string[]
  may: {
    ban: boolean
    unban: boolean
    mute: boolean
    unmute: boolean
    remove: boolean
    addRole: boolean
    removeRole: boolean
  }
}

export interface DeskMembers {
  members: DeskMember[]
  next?: string
  previous?: string
}

const HOUR = 60
const TEN_YEARS = 10 * 366 * 24 * HOUR
const Minutes = z.int().min(1).max(TEN_YEARS)
const Reason = text({ max: 500 })

export const MembersAct = z.object({ space: MemberSpace, userIds: z.array(Id).min(1).max(100) })
export type MembersAct = z.output<typeof MembersAct>

/** Bans members for so many minutes; null is until somebody lifts it. */
export const BanMembers = MembersAct.extend({
  minutes: Minutes.nullable(),
  reason: Reason.optional(),
  policyId: PolicyId.optional(),
})
export type BanMembers = z.output<typeof BanMembers>

/** What became of a space whose members were banned or removed, or lost a role. */
export interface MembersLeft {
  /** It had a moderator before, and has none now. */
  isWithoutModerator: boolean
}

/**
 * In minutes; 0 ends it, null is until somebody ends it. An undo gives the `endsAt` of the mute before: once that has passed, it ends the mute.
 */
export const MuteMembers = MembersAct.extend({
  minutes: z.int().min(0).max(TEN_YEARS).nullable(),
  endsAt: z.iso.datetime().optional(),
  reason: Reason.optional(),
  policyId: PolicyId.optional(),
})
export type MuteMembers = z.output<typeof MuteMembers>

export const MembersRole = MembersAct.extend({ role: RoleId })
export type MembersRole = z.output<typeof MembersRole>

/** Members as they were before they were banned or removed. */
export const RestoreMembers = z.object({
  space: MemberSpace,
  areBanned: z.boolean(),
  members: z
    .array(z.object({ userId: Id, roles: z.array(RoleId).max(50) }))
    .min(1)
    .max(100),
})
export type RestoreMembers = z.output<typeof RestoreMembers>

/** Bans as they were before they were lifted: those whose time is over by now stay lifted. */
export const BanMembersAgain = z.object({
  space: MemberSpace,
  members: z
    .array(
      z.object({
        userId: Id,
        endsAt: z.iso.datetime().optional(),
        reason: Reason.optional(),
        policyId: PolicyId.optional(),
      }),
    )
    .min(1)
    .max(100),
})
export type BanMembersAgain = z.output<typeof BanMembersAgain>

export const OutsidersInput = z.object({ space: MemberSpace, query: text({ min: 1, max: 100 }) })
export type OutsidersInput = z.output<typeof OutsidersInput>

export interface Outsider {
  userId: string
  displayName: string
}
