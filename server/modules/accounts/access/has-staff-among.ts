import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'

/** Whether any of these users has a staff account, including one that is switched off. */
export async function hasStaffAmong(ctx: Ctx, userIds: string[]): Promise<boolean> {
  const staff = await queryOne(ctx, sql`select 1 from staff_account where network_user_id = any(${userIds}) limit 1`)
  return staff !== undefined
}
