import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { DomainError, type ErrorCode } from '#server/core/errors.ts'
import { arePeers, outranks } from '#server/modules/accounts/roles/outranks.ts'

/** The target of an action: a user of the network, and their membership in the channel. */
export interface Target {
  userId: string
  membership: 'none' | 'member' | 'banned'
  roles: string[]
  isDeleted: boolean
  /** Whether the caller may act on them at all: on people of strictly lower rank, never on oneself. */
  isBelow: boolean
  /** Whether both moderate the channel, neither ranking above the other. */
  isPeer: boolean
}

/** The people of these ids, each once. Fails with NOT_FOUND where one does not exist. Uses channel_user_pkey. */
export async function readTargets(ctx: Ctx, channelId: string, userIds: string[]): Promise<Target[]> {
  const targets = await query<Target>(
    ctx,
    Prisma.sql`
    select u.user_id as "userId", coalesce(cu.membership, 'none') as membership, coalesce(cu.roles, '{}') as roles, u.is_deleted as "isDeleted",
      (u.user_id is distinct from ${actingUserId(ctx) ?? null} and ${outranks(ctx, Prisma.sql`u.user_id`, { channelId })}) as "isBelow",
      ${arePeers(ctx, Prisma.sql`u.user_id`, { channelId })} as "isPeer"
    from network_user u left join channel_user cu on cu.channel_id = ${channelId} and cu.user_id = u.user_id
    where u.user_id = any(${userIds}) order by u.user_id`,
  )
  if (targets.length < new Set(userIds).size) throw new DomainError('NOT_FOUND')
  return targets
}

/** All or nobody: rejects the whole action if one person has an equal or higher rank, or is the caller. */
export function assertOutranks(targets: Target[], failure: ErrorCode): void {
  if (!targets.every(({ isBelow }) => isBelow)) throw new DomainError(failure)
}

/** All or nobody: for actions that apply to members only. */
export function assertMembers(targets: Target[]): void {
  if (!targets.every(({ membership }) => membership === 'member')) throw new DomainError('NOT_CHANNEL_MEMBER')
}

export function idsOf(people: { userId: string }[]): string[] {
  return people.map(({ userId }) => userId)
}
