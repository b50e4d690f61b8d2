import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { holds } from '#server/core/permissions.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'
import type { BanSpace, LastModeratedInput } from '#server/modules/spaces/sanctions/schema.ts'
import { kindOf } from '#server/modules/spaces/sanctions/space-of.ts'

interface ModeratedSpace {
  scope: SpaceTable['scope']
  spaceId: string
  displayName: string
}

/**
 * Runs an act that may end the roles of these people: in one space, or everywhere for the network. Returns the names of the spaces that it left
 * without a moderator, of those that they moderated.
 */
export async function namingUnmoderated(
  ctx: Ctx,
  people: LastModeratedInput,
  act: (ctx: Ctx) => Promise<unknown>,
): Promise<string[]> {
  const moderated = await readModerated(ctx, people)
  if (moderated.length === 0) {
    await act(ctx)
    return []
  }
  return inTransaction(ctx, async (ctx) => {
    await act(ctx)
    return readUnmoderated(ctx, moderated)
  })
}

/** The names of the spaces that nobody would moderate without these people, as far as the caller may ban there. */
export async function readLastModerated(ctx: Ctx, people: LastModeratedInput): Promise<string[]> {
  if (people.space.scope === 'network' && !holds(ctx, 'BAN_USER')) return []
  const spaces = await readModerated(ctx, people, (kind, spaceId) => {
    const mayBan = people.space.scope === 'network' ? sql`true` : kind.mayAct(ctx, 'banMembers', spaceId)
    return sql`${mayBan} and not ${hasModerator(kind, spaceId, people.userIds)}`
  })
  return spaces.map(({ displayName }) => displayName)
}

/** By name; `and` narrows them further. Uses community_user_user_id_idx and channel_user_user_id_idx, and to narrow channel_user_roles or community_user_roles. */
function readModerated(
  ctx: Ctx,
  { space, userIds }: LastModeratedInput,
  and: (kind: SpaceKind<unknown>, spaceId: Sql) => Sql = () => sql`true`,
): Promise<ModeratedSpace[]> {
  const moderated = spacesOf(space).map(
    ({ kind, isOne }) => sql`
    select distinct ${kind.scope} as scope, s.${kind.id} as space_id, ${nameOf(kind)} as display_name
    from ${kind.members} cu join ${kind.table} s on s.${kind.id} = cu.${kind.id}
    where cu.user_id = any(${userIds}) and ${isModerator(kind)} and not s.is_deleted and ${isOne} and ${and(kind, sql`s.${kind.id}`)}`,
  )
  return query<ModeratedSpace>(ctx, sql`${sql.join(moderated, ' union all ')} order by display_name, space_id`)
}

async function readUnmoderated(ctx: Ctx, spaces: ModeratedSpace[]): Promise<string[]> {
  const unmoderated = [communitySpace, channelSpace].map((kind) => {
    const ids = spaces.filter(({ scope }) => scope === kind.scope).map(({ spaceId }) => spaceId)
    return sql`
    select ${nameOf(kind)} as display_name from ${kind.table} s
    where s.${kind.id} = any(${ids}) and not ${hasModerator(kind, sql`s.${kind.id}`, [])}`
  })
  const found = await query<{ displayName: string }>(
    ctx,
    sql`${sql.join(unmoderated, ' union all ')} order by display_name`,
  )
  return found.map(({ displayName }) => displayName)
}

/** The kinds of spaces that a ban from this one concerns, and which of each. */
function spacesOf(space: BanSpace): { kind: SpaceKind<unknown>; isOne: Sql }[] {
  if (space.scope === 'network') return [communitySpace, channelSpace].map((kind) => ({ kind, isOne: sql`true` }))
  const { kind, spaceId } = kindOf(space)
  return [{ kind, isOne: sql`s.${kind.id} = ${spaceId}` }]
}

const nameOf = ({ id }: SpaceTable) => sql`coalesce(nullif(s.display_name, ''), s.${id})`

const isModerator = ({ moderator }: SpaceTable) =>
  sql`cu.roles @> array[${moderator}] and cu.membership = 'member' and not cu.is_deleted`

/** Whether somebody besides these people moderates the space and isn't banned from the network. */
function hasModerator(kind: SpaceTable, spaceId: Sql, besides: string[]): Sql {
  return sql`exists (
    select from ${kind.members} cu join network_user u on u.user_id = cu.user_id
    where cu.${kind.id} = ${spaceId} and ${isModerator(kind)} and cu.user_id <> all(${besides}) and not u.is_global_ban)`
}
