import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { readLockedPerson } from '#server/modules/accounts/roles/lock-person.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'

/**
 * Locks a person of lower rank in a community, or with null in the network, before an action on them. Fails with NOT_FOUND for an unknown or erased one,
 * FORBIDDEN for oneself and for people of equal or higher rank.
 */
export async function lockPersonBelow(ctx: Ctx, userId: string, communityId: string | null): Promise<void> {
  const reach = communityId === null ? 'network' : { communityId }
  const columns = sql`u.is_deleted, ${outranks(ctx, sql`u.user_id`, reach)} as is_below`
  const person = await readLockedPerson<{ isDeleted: boolean; isBelow: boolean }>(ctx, userId, columns)
  if (person.isDeleted) throw new DomainError('NOT_FOUND')
  if (!person.isBelow || userId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
}
