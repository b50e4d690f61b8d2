import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'

/**
 * Locks a user before an action on them; does nothing if the user doesn't exist. Their roles are read by the next statement: one that
 * waited for this lock itself would still use the rank from before the wait.
 */
export async function lockPerson(ctx: Ctx, userId: string): Promise<void> {
  await execute(ctx, sql`select 1 as locked from network_user u where u.user_id = ${userId} for no key update`)
}
