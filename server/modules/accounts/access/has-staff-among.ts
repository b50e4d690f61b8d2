import type { Ctx } from '#server/core/ctx.ts'

/** Whether any of these users has a staff account, including one that is switched off. */
export async function hasStaffAmong(ctx: Ctx, userIds: string[]): Promise<boolean> {
  return (await ctx.db.staffAccount.count({ where: { networkUserId: { in: userIds } } })) > 0
}
