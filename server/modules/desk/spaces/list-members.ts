import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { jsonOfRows, rowsOfJson } from '#server/core/database/json-rows.ts'
import type { Paging } from '#server/core/database/keyset.ts'
import { listOf, queryOne, type Sql, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { MODERATOR_OF } from '#server/modules/accounts/roles/moderator-of.ts'
import { arePeers, outranks } from '#server/modules/accounts/roles/outranks.ts'
import type {
  DeskMember,
  DeskMembers,
  MemberActs,
  MemberFilter,
  MemberSpace,
  MembersCount,
  MembersCountInput,
  MembersInput,
  Sanction,
} from '#server/modules/desk/spaces/schema.ts'
import { readSpaceActs, type ShownActs, shownActs, spaceActs } from '#server/modules/desk/spaces/space-acts.ts'
import * as channels from '#server/modules/spaces/channels/list-members.ts'
import * as communities from '#server/modules/spaces/communities/list-members.ts'
import { toCommunityUserView } from '#server/modules/spaces/communities/view.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'
import { isEndless } from '#server/modules/spaces/sanctions/muted.ts'

/**
 * A page of a channel's or community's members, each with the ban or mute in force and what the caller may do with them. Fails as
 * `readSpaceActs` does.
 */
export async function listDeskMembers(
  ctx: Ctx,
  { space, cursor, limit, ...asked }: MembersInput,
): Promise<DeskMembers> {
  const options = { limit, token: cursor }
  const { seen, paging } =
    space.scope === 'channel'
      ? await ofChannel(ctx, space.channelId, { ...asked, options })
      : await ofCommunity(ctx, space.communityId, { ...asked, options })
  const { acts, standings } = await readStandings(
    ctx,
    space,
    seen.map(({ userId }) => userId),
  )
  return {
    members: seen.flatMap((member) => {
      const standing = standings.get(member.userId)
      return standing ? [toMember(ctx, member, standing, { acts, moderator: MODERATOR_OF[space.scope] })] : []
    }),
    ...(paging.next !== undefined && { next: paging.next }),
    ...(paging.prev !== undefined && { previous: paging.prev }),
  }
}

const COUNTED_UP_TO = 50_000

/** The number of matching members. Fails as `listDeskMembers` does. */
export async function countDeskMembers(ctx: Ctx, { space, ...asked }: MembersCountInput): Promise<MembersCount> {
  await readSpaceActs(ctx, space)
  const found =
    space.scope === 'channel'
      ? await channels.countMembers(ctx, { channelId: space.channelId, ...toChannel(asked) }, COUNTED_UP_TO + 1)
      : await communities.countMembers(
          ctx,
          { communityId: space.communityId, ...toCommunity(asked) },
          COUNTED_UP_TO + 1,
        )
  return { count: Math.min(found, COUNTED_UP_TO), isLowerBound: found > COUNTED_UP_TO }
}

/** A member, in the form that both kinds of spaces share. */
interface Seen extends Pick<DeskMember, 'userId' | 'membership' | 'roles'> {
  createdAt: string
  lastActivity?: string | undefined
  muteTimeout?: string | undefined
}

interface Listed {
  seen: Seen[]
  paging: Paging
}

type Asked = Omit<MembersCountInput, 'space'>
type AskedPage = Asked & Pick<MembersInput, 'sortBy'> & { options: { limit: number; token: string | undefined } }

const KINDS_OF = {
  all: ['member'],
  muted: ['muted'],
  banned: ['banned'],
  'member&banned': ['member', 'banned'],
} as const satisfies Record<MemberFilter, string[]>

function toChannel({ filter, ...asked }: Asked) {
  return { ...asked, memberships: [...KINDS_OF[filter]], searchesIds: true }
}

async function ofChannel(ctx: Ctx, channelId: string, { options, sortBy, ...asked }: AskedPage): Promise<Listed> {
  const page = await channels.listMembersPage(ctx, { channelId, ...toChannel(asked), sortBy, options })
  return { seen: page.channelUsers, paging: page.paging }
}

function toCommunity({ filter, ...asked }: Asked) {
  return { ...asked, memberships: [...KINDS_OF[filter]], searchBy: ['displayName' as const, 'userId' as const] }
}

async function ofCommunity(ctx: Ctx, communityId: string, { options, sortBy, ...asked }: AskedPage): Promise<Listed> {
  const { rows, paging } = await communities.listMembersPage(ctx, {
    communityId,
    ...toCommunity(asked),
    sortBy,
    options,
  })
  const seen = rows.map((row) => {
    const { communityMembership, ...member } = toCommunityUserView(row)
    return { ...member, membership: communityMembership }
  })
  return { seen, paging }
}

interface SanctionRow {
  by: string | null
  at: string
  reason: string | null
  policyId: string | null
  endsAt: string | null
}

interface Standing extends Pick<DeskMember, 'userId' | 'displayName' | 'isDeleted' | 'isGlobalBan' | 'isBelow'> {
  isPeer: boolean
  ban: SanctionRow | null
  mute: SanctionRow | null
}

/** What the caller may do there; and the members' names, their ranks, and the sanctions in force against them. */
async function readStandings(
  ctx: Ctx,
  space: MemberSpace,
  userIds: string[],
): Promise<{ acts: MemberActs; standings: Map<string, Standing> }> {
  const found = await queryOne<ShownActs & { standings: Record<string, unknown>[] | null }>(
    ctx,
    sql`
    with space as materialized (${spaceActs(ctx, space)})
    select space.*, ${jsonOfRows(standingsOf(ctx, space, userIds))} as standings from space`,
  )
  const standings = rowsOfJson<Standing>(found?.standings, [])
  return { acts: shownActs(found), standings: new Map(standings.map((row) => [row.userId, row])) }
}

/** Uses ban_in_force, and mute_in_force or community_mute_in_force. */
function standingsOf(ctx: Ctx, space: MemberSpace, userIds: string[]): Sql {
  const spaceId = space.scope === 'channel' ? space.channelId : space.communityId
  return sql`
    select u.user_id, coalesce(nullif(u.display_name, ''), u.user_id) as display_name, u.is_deleted, u.is_global_ban,
      (u.user_id is distinct from ${actingUserId(ctx) ?? null} and ${outranks(ctx, sql`u.user_id`, space)}) as is_below,
      ${arePeers(ctx, sql`u.user_id`, space)} as is_peer,
      ban.sanction as ban, mute.sanction as mute
    from network_user u
    left join lateral (
      select ${sanctionOf(sql`b`, sql`b.banned_by`)} as sanction
      from ban b left join network_user maker on maker.user_id = b.banned_by
      where b.user_id = u.user_id and b.scope = ${space.scope}::ban_scope and coalesce(b.community_id, b.channel_id, '') = ${spaceId}
        and b.lifted_at is null) ban on true
    left join lateral (
      select ${sanctionOf(sql`m`, sql`coalesce(by_rule.name, m.muted_by)`)} as sanction
      from mute m left join network_user maker on maker.user_id = m.muted_by
        left join rule by_rule on by_rule.rule_id = m.muted_by
      where m.${SPACE_KINDS[space.scope].id} = ${spaceId} and m.user_id = u.user_id and m.lifted_at is null) mute on true
    where u.user_id = any(${listOf(userIds)})`
}

function sanctionOf(row: Sql, by: Sql): Sql {
  return sql`jsonb_build_object('by', coalesce(nullif(maker.display_name, ''), ${by}), 'at', ${row}.created_at,
    'reason', ${row}.reason, 'policyId', ${row}.policy_id, 'endsAt', ${row}.ends_at)`
}

interface Seeing {
  acts: MemberActs
  /** The moderator role of such a space. */
  moderator: string
}

function toMember(ctx: Ctx, seen: Seen, standing: Standing, { acts, moderator }: Seeing): DeskMember {
  const { userId, membership, roles } = seen
  const { displayName, isDeleted, isGlobalBan, isBelow, isPeer } = standing
  const isRemovable = (role: string) => isBelow || (isPeer && role === moderator)
  const removableRoles = acts.roles && membership === 'member' ? roles.filter(isRemovable) : []
  const isMember = membership === 'member' && isBelow
  const muteTimeout = new Date(seen.muteTimeout ?? 0)
  const isMuted = membership === 'member' && muteTimeout > ctx.now()
  return {
    userId,
    displayName,
    membership,
    roles,
    joinedAt: seen.createdAt,
    ...present({ lastActivity: seen.lastActivity }),
    isDeleted,
    isGlobalBan,
    ...(membership === 'banned' && { ban: toSanction(standing.ban) }),
    ...(isMuted && {
      mute: {
        ...toSanction(standing.mute && { ...standing.mute, endsAt: null }),
        ...present({ endsAt: isEndless(ctx, muteTimeout) ? undefined : seen.muteTimeout }),
      },
    }),
    isBelow,
    removableRoles,
    may: {
      ban: acts.ban && isBelow && membership !== 'banned',
      unban: acts.ban && isBelow && membership === 'banned',
      mute: acts.mute && isMember && !isMuted,
      unmute: acts.mute && isMember && isMuted,
      remove: acts.remove && isMember,
      addRole: acts.roles && isMember,
      removeRole: removableRoles.length > 0,
    },
  }
}

/** Times inside a JSON object have PostgreSQL's format. */
function toSanction(row: SanctionRow | null): Sanction {
  const time = (at: string | null | undefined) => (at ? new Date(at).toISOString() : undefined)
  const { by, at, reason, policyId, endsAt } = row ?? {}
  return present({ by, at: time(at), reason, policyId, endsAt: time(endsAt) })
}
