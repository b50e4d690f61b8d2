import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type ListKey, type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { foldedContains } from '#server/core/database/like.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { PeopleOrder } from '#server/modules/accounts/users/schema.ts'
import { toChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import { mayKnowChannel } from '#server/modules/spaces/channels/channel-scope.ts'
import { findChannels } from '#server/modules/spaces/channels/find-channels.ts'
import type { ChannelPage, MemberKind, MembersQuery, MembersQueryV4 } from '#server/modules/spaces/channels/schema.ts'
import type { ChannelUserRow } from '#server/modules/spaces/channels/view.ts'
import { countMatching, memberConditions } from '#server/modules/spaces/membership/list-members.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

/** The default limit (docs/interface/channel-members.md#list-members). */
const MEMBERS_A_PAGE = 10

const KINDS_OF: Record<MembersQuery['filter'], MemberKind[]> = {
  all: ['member'],
  muted: ['muted'],
  banned: ['banned'],
  'member&banned': ['member', 'banned'],
}

/**
 * One page of a channel's members (docs/interface/channel-members.md#list-members). Fails with NOT_FOUND for a channel the caller may not see,
 * FORBIDDEN for one they are banned from.
 */
export function listMembers(
  ctx: Ctx,
  { filter, ...asked }: MembersQuery & { channelId: string },
): Promise<ChannelPage> {
  return listMembersPage(ctx, { ...asked, memberships: KINDS_OF[filter] })
}

/** One page of a channel's members by the parameters of version 4 (docs/interface/channel-members.md#list-members-version-4). */
export function listMembersV4(
  ctx: Ctx,
  { role, roles = [], ...asked }: MembersQueryV4 & { channelId: string },
): Promise<ChannelPage> {
  const anyOf = role === undefined ? roles : [role, ...roles]
  return listMembersPage(ctx, { ...asked, ...(anyOf.length > 0 && { roles: anyOf }) })
}

/** The members of a channel to list. */
export interface MembersAsked extends Pick<MembersQuery, 'roles' | 'isDeleted'> {
  channelId: string
  memberships: MemberKind[]
  search?: string | undefined
  /** Whether the search term may be an id too. */
  searchesIds?: boolean
  isBrand?: boolean | undefined
}

/** The number of matching members, up to a maximum. Fails as `listMembers` does. */
export async function countMembers(ctx: Ctx, { channelId, ...asked }: MembersAsked, upTo: number): Promise<number> {
  await assertOpen(ctx, channelId)
  return countMatching(ctx, SPACE_KINDS.channel, conditions(ctx, { channelId, ...asked }), upTo)
}

type Asked = MembersAsked & Pick<MembersQuery, 'sortBy' | 'options'>

/** A page of them. Fails as `listMembers` does. */
export async function listMembersPage(ctx: Ctx, { channelId, ...asked }: Asked): Promise<ChannelPage> {
  const page = readPageRequest(asked.options, MEMBERS_A_PAGE)
  const clauses = pageClauses(ORDERS[asked.sortBy], page)
  // channel_user_newest or channel_user_by_name in their order; for few, channel_user_banned, _muted, _roles or _by_name_part.
  const found = await findChannels<Standing>(ctx, {
    channels: {
      rows: sql`select * from channel c where c.channel_id = ${channelId} and ${mayKnowChannel(ctx)}`,
      orderBy: sql`c.channel_id`,
    },
    more: sql`, ${isBannedHere(ctx)} as is_banned_here`,
    channelUsers: {
      rows: sql`
        select cu.* from channel_user cu join network_user u on u.user_id = cu.user_id
        where (select exists (select from channel_page c where not ${isBannedHere(ctx)}))
          and ${sql.join([clauses.where, ...conditions(ctx, { channelId, ...asked })], ' and ')}
        order by ${clauses.orderBy} ${clauses.limit}`,
      orderBy: clauses.orderBy,
    },
  })
  assertStanding(found.channels[0])
  const { rows: channelUsers, paging } = toPage(found.channelUsers, page, (row) => positionOf(asked.sortBy, row))
  return { ...toChannelEnvelope(ctx, { ...found, channelUsers }), paging }
}

interface Standing {
  isBannedHere: boolean
}

/** Whether the caller is banned from `channel c`. */
function isBannedHere(ctx: Ctx): Sql {
  return sql`exists (
    select from channel_user own
    where own.channel_id = c.channel_id and own.user_id = ${actingUserId(ctx) ?? null} and own.membership = 'banned')`
}

/** Fails unless the caller may list the channel's members: they may for any they may see, unless they are banned from it. */
function assertStanding(channel: Standing | undefined): void {
  if (channel && !channel.isBannedHere) return
  throw new DomainError(channel ? 'FORBIDDEN' : 'NOT_FOUND')
}

async function assertOpen(ctx: Ctx, channelId: string): Promise<void> {
  const channel = await queryOne<Standing>(
    ctx,
    sql`
    select ${isBannedHere(ctx)} as is_banned_here from channel c where c.channel_id = ${channelId} and ${mayKnowChannel(ctx)}`,
  )
  assertStanding(channel)
}

const ORDERS: Record<PeopleOrder, ListOrder> = {
  lastCreated: {
    first: { column: sql`cu.created_at`, isDescending: true, type: 'timestamptz' },
    tie: { column: sql`cu.user_id`, isDescending: false },
  },
  firstCreated: {
    first: { column: sql`cu.created_at`, isDescending: false, type: 'timestamptz' },
    tie: { column: sql`cu.user_id`, isDescending: true },
  },
  displayName: {
    first: { column: sql`cu.sort_name`, isDescending: false, type: 'text' },
    tie: { column: sql`cu.user_id`, isDescending: false },
  },
}

function positionOf(sortBy: PeopleOrder, row: ChannelUserRow): ListKey {
  return [sortBy === 'displayName' ? row.sortName : timestampOf(row.createdAt), row.userId]
}

function conditions(ctx: Ctx, { channelId, memberships, search, searchesIds, ...filter }: MembersAsked): Sql[] {
  const kinds: Record<MemberKind, Sql> = {
    member: sql`cu.membership = 'member'`,
    banned: sql`cu.membership = 'banned'`,
    muted: sql`(cu.membership = 'member' and cu.mute_timeout > ${ctx.now()})`,
  }
  return [
    ...memberConditions(SPACE_KINDS.channel, { spaceId: channelId, ...filter }),
    sql`(${sql.join(
      memberships.map((kind) => kinds[kind]),
      ' or ',
    )})`,
    ...(search ? [sql`(${named(search)} ${searchesIds ? isOfId(search) : sql.empty}) ${NO_PREPARE}`] : []),
  ]
}

const named = (search: string) => foldedContains(sql`cu.sort_name`, search)
const isOfId = (search: string) => sql`or cu.user_id = ${search}`
