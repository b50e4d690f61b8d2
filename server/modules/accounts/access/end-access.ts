import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'

/** Ends the tokens and sessions of these users immediately. */
export async function endAccess(ctx: Ctx, userIds: string[]): Promise<void> {
  await execute(
    ctx,
    sql`update access_token set revoked_at = ${ctx.now()} where user_id = any(${userIds}) and revoked_at is null`,
  )
  await execute(
    ctx,
    sql`
    delete from staff_session s using staff_account a where a.id = s.staff_account_id and a.network_user_id = any(${userIds})`,
  )
}
