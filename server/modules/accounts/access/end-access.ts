import type { Ctx } from '#server/core/ctx.ts'

/** Ends the user's tokens and sessions immediately. */
export async function endAccess(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.accessToken.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: ctx.now() } })
  await ctx.db.staffSession.deleteMany({ where: { user: { networkUserId: userId } } })
}
