import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import { DomainError, type ErrorCode } from '#server/core/errors.ts'
import { ownRank, rankOf } from '#server/core/permissions.ts'
import { arePeers, outranks } from '#server/modules/accounts/roles/outranks.ts'
import type { Concerned } from '#server/modules/spaces/membership/space-kind.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'

/** A user of the network, as they are in a space before an action. */
export interface Person extends Concerned {
  roles: string[]
  /** Whether they can't be added. */
  isGone: boolean
  /** Whether the caller may act on them. */
  isBelow: boolean
  /** Whether both moderate there, neither ranking above the other. */
  isPeer: boolean
  /** Whether they rank no higher than `rank`, where it was given. */
  isLevel: boolean
}

interface Wanted {
  spaceId: string
  userIds: string[]
  /** The caller's rank there, where it is not that of their roles. */
  rank?: number
}

/**
 * The people of these ids, each once, in the order of ids, so that of two concurrent actions on one person the second waits. Fails with
 * NOT_FOUND where one does not exist. Uses channel_user_pkey or community_user_pkey.
 */
export async function lockPeople(ctx: Ctx, kind: SpaceTable, wanted: Wanted): Promise<Person[]> {
  if (kind.locksRows) await insertRows(ctx, kind, wanted)
  return requireAll(await findPeople(ctx, kind, wanted), wanted)
}

/** The people of these ids for actions on members and banned people, as `lockPeople` returns them; where rows are locked, others are left out. */
export async function lockMembers(ctx: Ctx, kind: SpaceTable, wanted: Wanted): Promise<Person[]> {
  const people = await findPeople(ctx, kind, wanted)
  return kind.locksRows ? people.filter(({ membership }) => membership !== 'none') : requireAll(people, wanted)
}

/** All or nobody: rejects the whole action if the caller may not act on one of them. */
export function assertBelow(people: { isBelow: boolean }[], failure: ErrorCode): void {
  if (!people.every(({ isBelow }) => isBelow)) throw new DomainError(failure)
}

/** All or nobody: for actions that apply to members only. */
export function assertMembers(kind: SpaceTable, people: Person[], { userIds }: { userIds: string[] }): void {
  if (kind.rejectsRepeats && people.some(({ membership }) => membership === 'banned')) throw new DomainError('BANNED')
  const members = people.filter(({ membership }) => membership === 'member')
  if (members.length < new Set(userIds).size) throw new DomainError(kind.notMember)
}

export function idsOf(people: { userId: string }[]): string[] {
  return people.map(({ userId }) => userId)
}

export function requireAll<One>(people: One[], { userIds }: { userIds: string[] }): One[] {
  if (people.length < new Set(userIds).size) throw new DomainError('NOT_FOUND')
  return people
}

/** Users who have no row get one to lock; where rows are locked, not if they are deleted. */
export async function insertRows(
  ctx: Ctx,
  { members, id, locksRows }: SpaceTable,
  { spaceId, userIds }: Wanted,
): Promise<void> {
  await execute(
    ctx,
    sql`
    insert into ${members} (${id}, user_id, created_at, updated_at)
    select ${spaceId}, u.user_id, ${ctx.now()}, ${ctx.now()} from network_user u
    where u.user_id = any(${userIds}) and not (${locksRows} and u.is_deleted) order by u.user_id
    on conflict do nothing`,
  )
}

function findPeople(ctx: Ctx, kind: SpaceTable, { spaceId, userIds, rank }: Wanted): Promise<Person[]> {
  const { members, id, locksRows, sparesSelf } = kind
  const space = kind.space(spaceId)
  const user = sql`u.user_id`
  const own: Sql = rank === undefined ? ownRank(ctx, space) : sql`${rank}::int`
  const isLevel = rank === undefined ? sql`false` : sql`${own} >= ${rankOf(user, space)}`
  const isOther = sparesSelf ? sql`${user} is distinct from ${actingUserId(ctx) ?? null}` : sql`true`
  return query<Person>(
    ctx,
    sql`
    select u.user_id, ${kind.membership(sql`cu`)} as membership, coalesce(cu.roles, '{}') as roles,
      ${kind.isGone} as is_gone, (${isOther} and ${outranks(ctx, user, space, own)}) as is_below,
      ${arePeers(ctx, user, space)} as is_peer, ${isLevel} as is_level
    from network_user u ${locksRows ? sql`join` : sql`left join`} ${members} cu on cu.${id} = ${spaceId} and cu.user_id = u.user_id
    where u.user_id = any(${userIds}) order by u.user_id ${locksRows ? sql`for update of cu` : sql.empty}`,
  )
}
