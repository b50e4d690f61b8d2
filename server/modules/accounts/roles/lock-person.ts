import type { Ctx } from '#server/core/ctx.ts'
import { execute, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

/**
 * Locks a user before an action on them; does nothing if the user doesn't exist. Their roles are read by the next statement: one that
 * waited for this lock itself would still use the rank from before the wait.
 */
export async function lockPerson(ctx: Ctx, userId: string): Promise<void> {
  await execute(ctx, sql`select 1 as locked from network_user u where u.user_id = ${userId} for no key update`)
}

/** Locks a user, and reads these columns of `network_user u` afterwards. NOT_FOUND for an unknown user. */
export async function readLockedPerson<Person extends object>(ctx: Ctx, userId: string, columns: Sql): Promise<Person> {
  await lockPerson(ctx, userId)
  const person = await queryOne<Person>(ctx, sql`select ${columns} from network_user u where u.user_id = ${userId}`)
  if (person === undefined) throw new DomainError('NOT_FOUND')
  return person
}
