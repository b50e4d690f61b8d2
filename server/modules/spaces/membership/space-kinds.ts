import { type Sql, sql } from '#server/core/db.ts'
import { MODERATOR_OF } from '#server/modules/accounts/roles/moderator-of.ts'
import type { TallyKind } from '#server/modules/ledger/counts/record-delta.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'

export type Membership = 'none' | 'member' | 'banned'
/** What changes a person's membership of a space. */
export type MembershipAct = 'joined' | 'left' | 'added' | 'removed' | 'banned' | 'unbanned'

/** How an action on people is logged and published; events whose names begin with `desk.` are published to desks only. */
export interface PublishedAct {
  action: string
  event: NewEvent['name']
  /** The second field in which the event names the actor (docs/interface/webhooks.md#channels). */
  actorField?: string
  /** Whether the answer contains all the people asked for, also those for whom nothing changed. */
  answersAll?: boolean
}

export interface Written {
  act: MembershipAct
  now: Date
  /** Their roles after the change, of row `cu`. */
  roles: Sql
}

/** What the statements about members need to know about a kind of space. */
export interface SpaceTable {
  scope: 'channel' | 'community'
  table: Sql
  /** Its table of members, `cu` in every statement; the column that names the space there, in `ban` and in its own table. */
  members: Sql
  id: Sql
  space(spaceId: string): { channelId: string } | { communityId: string }
  /**
   * Whether an action locks the rows of the people it concerns and shares the lock on the space. Otherwise it locks the space alone: people
   * may join and leave at the same time.
   */
  locksRows: boolean
  /** The membership in a row of `members`, as SQL. */
  membership(row: Sql): Sql
  /** Whether a row `cu` and its `network_user u` are listed as deleted, as SQL. */
  isRowDeleted: Sql
  /** Whether `network_user u` can't be added, as SQL. */
  isGone: Sql
  /** Whether nobody acts on themselves, whatever their rank. */
  sparesSelf: boolean
  /** Whether banning the banned, lifting a ban that isn't there and any action on the banned fail; otherwise these change nothing. */
  rejectsRepeats: boolean
  /** The error for someone who isn't a member, where only members are meant. */
  notMember: 'NOT_CHANNEL_MEMBER' | 'NOT_FOUND'
  moderator: string
  /** The role of its creator, above its moderators (docs/interface/permissions.md#owners). */
  owner: string
  /** Whether one moderator always remains; otherwise only moderators among each other can't remove the last one. */
  keepsModerator: boolean
  tallies: { members: TallyKind; moderators?: TallyKind }
  /** Assignments to further columns of `members` when the membership changes. */
  set(written: Written): Sql
  /** The changes of membership that count as activity of the member. */
  activeOn: MembershipAct[]
  /** Further statements of a `with` that contains the rows `changed`. */
  alongside(written: Written & { spaceId: string; actorId: string | undefined }): Sql
  /** Whether the log says that no roles are left. */
  logsRoles: boolean
  acts: Record<MembershipAct | 'muted' | 'unmuted' | 'roleAdded' | 'roleRemoved', PublishedAct>
}

export const NOT_MEMBER_REASON: Partial<Record<MembershipAct, string>> = {
  left: 'left',
  removed: 'removed',
  banned: 'banned',
}

/** The kinds of space, and all that differs between their statements. */
export const SPACE_KINDS = {
  channel: {
    scope: 'channel',
    table: sql`channel`,
    members: sql`channel_user`,
    id: sql`channel_id`,
    space: (channelId) => ({ channelId }),
    locksRows: false,
    membership: (row) => sql`coalesce(${row}.membership, 'none')`,
    isRowDeleted: sql`(cu.is_deleted or u.is_deleted)`,
    isGone: sql`u.is_deleted`,
    sparesSelf: true,
    rejectsRepeats: false,
    notMember: 'NOT_CHANNEL_MEMBER',
    moderator: MODERATOR_OF.channel,
    owner: 'channel-owner',
    keepsModerator: false,
    tallies: { members: 'channel_members' },
    set: ({ act, roles }) => sql`
      ${act === 'unbanned' ? sql.empty : sql`roles = ${roles},`}
      ${act === 'joined' || act === 'added' ? sql`is_deleted = false,` : sql.empty}`,
    activeOn: ['joined'],
    alongside: () => sql.empty,
    logsRoles: true,
    acts: {
      joined: { action: 'channelUser.joined', event: 'channel.didJoin' },
      left: { action: 'channelUser.left', event: 'channel.didLeave' },
      added: { action: 'channelUser.added', event: 'channel.didAddUsers', actorField: 'adderId' },
      removed: { action: 'channelUser.removed', event: 'channel.didRemoveUsers', actorField: 'removerId' },
      banned: { action: 'channelUser.banned', event: 'channel.didBan' },
      unbanned: { action: 'channelUser.unbanned', event: 'channel.didUnban' },
      muted: { action: 'channelUser.muted', event: 'desk.channel.didMuteUsers' },
      unmuted: { action: 'channelUser.unmuted', event: 'desk.channel.didUnmuteUsers' },
      roleAdded: { action: 'channelUser.roleAdded', event: 'desk.channel.didAddRole' },
      roleRemoved: { action: 'channelUser.roleRemoved', event: 'desk.channel.didRemoveRole' },
    },
  },
  community: {
    scope: 'community',
    table: sql`community`,
    members: sql`community_user`,
    id: sql`community_id`,
    space: (communityId) => ({ communityId }),
    locksRows: true,
    membership: (row) => sql`case when ${row}.is_deleted then 'none' else ${row}.membership::text end`,
    isRowDeleted: sql`cu.is_deleted`,
    isGone: sql`false`,
    sparesSelf: false,
    rejectsRepeats: true,
    notMember: 'NOT_FOUND',
    moderator: MODERATOR_OF.community,
    owner: 'community-owner',
    keepsModerator: true,
    tallies: { members: 'community_members', moderators: 'community_moderators' },
    set: ({ act, now, roles }) => sql`
      roles = ${roles}, is_deleted = false, not_member_reason = ${NOT_MEMBER_REASON[act] ?? null},
      last_join = ${act === 'joined' || act === 'added' ? now : sql`cu.last_join`},`,
    activeOn: ['joined', 'added', 'left'],
    /** Pending join requests are closed. */
    alongside: ({ act, now, spaceId, actorId }) => sql`,
      closed as (
        update join_request r set status = ${act === 'joined' || act === 'added' ? 'approved' : 'rejected'}::join_request_status,
          responded_at = ${now}, responder_id = ${actorId ?? null}, updated_at = ${now}
        from changed where r.community_id = ${spaceId} and r.user_id = changed.user_id and r.status = 'pending')`,
    logsRoles: false,
    acts: {
      joined: { action: 'community.userJoined', event: 'v3.community.didJoin' },
      left: { action: 'community.userLeft', event: 'v3.community.didLeave' },
      added: { action: 'community.userAdded', event: 'v3.community.didAddUsers', answersAll: true },
      removed: { action: 'community.userRemoved', event: 'v3.community.didRemoveUsers' },
      banned: { action: 'community.userBanned', event: 'v3.community.didBan' },
      unbanned: { action: 'community.userUnbanned', event: 'v3.community.didUnban' },
      muted: { action: 'community.userMuted', event: 'desk.community.didMuteUsers', answersAll: true },
      unmuted: { action: 'community.userUnmuted', event: 'desk.community.didUnmuteUsers', answersAll: true },
      roleAdded: { action: 'community.rolesChanged', event: 'v3.community.didRoleChange', answersAll: true },
      roleRemoved: { action: 'community.rolesChanged', event: 'v3.community.didRoleChange', answersAll: true },
    },
  },
} satisfies Record<SpaceTable['scope'], SpaceTable>
