import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { hasStaffAmong } from '#server/modules/accounts/access/has-staff-among.ts'
import { assertMayGrant } from '#server/modules/accounts/roles/assert-may-grant.ts'
import { MODERATOR_OF } from '#server/modules/accounts/roles/moderator-of.ts'
import { ensureModeratorRemains } from '#server/modules/spaces/membership/ensure-moderator-remains.ts'
import { assertMembers, idsOf, lockMembers, type Person } from '#server/modules/spaces/membership/lock-people.ts'
import { publishMembers } from '#server/modules/spaces/membership/publish-members.ts'
import { recordMemberCounts } from '#server/modules/spaces/membership/set-membership.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'

interface RolesChange {
  spaceId: string
  userIds: string[]
  roles: string[]
}

/**
 * Gives members roles of the space, all of them or none, for a bearer token or, in communities, an API key with `roles`. Members who hold
 * the roles already stay as they are, whatever their rank, so that a retry is harmless. Fails with NOT_FOUND for an unknown role, space or
 * user, FORBIDDEN without the permission, for a role of another scope or beyond the caller's, and for people not of lower rank;
 * NOT_CHANNEL_MEMBER for someone who isn't a member of a channel, NOT_FOUND or BANNED for a community.
 */
export function addRoles<Answer>(ctx: Ctx, kind: SpaceKind<Answer>, asked: RolesChange): Promise<Answer> {
  const change = ofSpace(kind, asked)
  return inTransaction(ctx, async (ctx) => {
    await kind.lock(ctx, change.spaceId, 'assignRoles')
    const authority = await kind.authority(ctx, change.spaceId)
    await assertMayGrant(ctx, change.roles, kind.scope, authority)
    const members = await lockMembers(ctx, kind, { ...change, rank: authority.rank })
    assertMembers(kind, members, change)
    // A key never affects anyone with a staff account, even where nothing would change.
    if (ctx.actor.kind === 'key' && (await hasStaffAmong(ctx, change.userIds))) throw new DomainError('FORBIDDEN')
    return changeRoles(ctx, kind, { ...change, act: 'roleAdded', members })
  })
}

/**
 * Takes roles from members; those who don't hold them stay as they are. Moderators take that role from each other, but never from an owner,
 * and the last one stays: FORBIDDEN. Otherwise fails as `addRoles` does, whatever the roles grant.
 */
export function removeRoles<Answer>(ctx: Ctx, kind: SpaceKind<Answer>, asked: RolesChange): Promise<Answer> {
  const change = ofSpace(kind, asked)
  return inTransaction(ctx, async (ctx) => {
    if (ctx.actor.kind === 'key') throw new DomainError('FORBIDDEN')
    await kind.lock(ctx, change.spaceId, 'assignRoles')
    const members = await lockMembers(ctx, kind, change)
    assertMembers(kind, members, change)
    return changeRoles(ctx, kind, { ...change, act: 'roleRemoved', members })
  })
}

/**
 * The vendor's UI kit names the moderator role of a community together with that of its channel: moderators of a community moderate its channel, so the
 * second is part of the first.
 */
function ofSpace({ scope }: SpaceKind<unknown>, change: RolesChange): RolesChange {
  const roles = change.roles.filter((role) => scope !== 'community' || role !== MODERATOR_OF.channel)
  return roles.length > 0 ? { ...change, roles } : change
}

interface LockedRolesChange extends RolesChange {
  act: 'roleAdded' | 'roleRemoved'
  members: Person[]
}

async function changeRoles<Answer>(ctx: Ctx, kind: SpaceKind<Answer>, change: LockedRolesChange): Promise<Answer> {
  const { spaceId, act, members } = change
  const concerned = members.filter(({ roles: held }) =>
    change.roles.some((role) => held.includes(role) !== (act === 'roleAdded')),
  )
  await assertMayChange(ctx, kind, { ...change, members: concerned })
  const changed = concerned.length === 0 ? [] : await write(ctx, kind, { ...change, members: concerned })
  const moderators = (of: string[][]) => of.filter((roles) => roles.includes(kind.moderator)).length
  await recordMemberCounts(ctx, kind, spaceId, {
    moderators: moderators(changed.map(({ after }) => after)) - moderators(changed.map(({ before }) => before)),
  })
  return publishMembers(ctx, kind, {
    spaceId,
    act: kind.acts[act],
    userIds: idsOf(members),
    changes: changed.map(({ userId, before, after }) => ({
      userId,
      before: { roles: before },
      after: { roles: after },
    })),
  })
}

/**
 * Rejects changes to anyone whom the caller may not change: people must be of lower rank or, where only the moderator role changes, peers.
 * A key may also give roles to people of its own rank: other moderators.
 */
async function assertMayChange(
  ctx: Ctx,
  kind: SpaceKind<unknown>,
  { spaceId, act, roles, members }: LockedRolesChange,
): Promise<void> {
  const areBelow = members.every(({ isBelow }) => isBelow)
  const isModeration = roles.every((role) => role === kind.moderator)
  const isKey = ctx.actor.kind === 'key'
  const mayChange = ({ isBelow, isPeer, isLevel }: Person) => isBelow || (isModeration && isPeer) || (isKey && isLevel)
  if (!members.every(mayChange)) throw new DomainError('FORBIDDEN')

  const dismissed = act === 'roleRemoved' && roles.includes(kind.moderator) ? members : []
  if (dismissed.some(({ roles: held }) => held.includes(kind.moderator)) && (kind.keepsModerator || !areBelow)) {
    await ensureModeratorRemains(ctx, kind, { spaceId, userIds: idsOf(dismissed) })
  }
}

interface ChangedRoles {
  userId: string
  before: string[]
  after: string[]
}

/** Compare-and-set: someone who has left in between gets no role. */
function write(
  ctx: Ctx,
  { members: table, id }: SpaceKind<unknown>,
  change: LockedRolesChange,
): Promise<ChangedRoles[]> {
  const { spaceId, act, roles, members } = change
  const rows = members.map(({ userId, roles: before }) => ({
    user_id: userId,
    before,
    after: act === 'roleAdded' ? [...new Set([...before, ...roles])] : before.filter((role) => !roles.includes(role)),
  }))
  return query<ChangedRoles>(
    ctx,
    sql`
    with changed as (
      update ${table} cu set roles = wanted.after, updated_at = ${ctx.now()}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as wanted(user_id text, before text[], after text[])
      where cu.${id} = ${spaceId} and cu.user_id = wanted.user_id and cu.membership = 'member' and cu.roles = wanted.before
      returning cu.user_id, wanted.before, wanted.after)
    select user_id, before, after from changed order by user_id`,
  )
}
