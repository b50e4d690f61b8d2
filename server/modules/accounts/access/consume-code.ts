import { createOTP } from '@better-auth/utils/otp'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'

const STEP_MS = 30_000

/**
 * The step of 30 s since 1970 that this code belongs to: the current one, the one before or the one after; undefined where it matches none.
 */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<number | undefined> {
  const current = Math.floor(now.getTime() / STEP_MS)
  for (const step of [current, current - 1, current + 1]) {
    if ((await createOTP(secret).hotp(step)) === code) return step
  }
  return undefined
}

/**
 * Marks the code of this step as used: it and those before it no longer work. False where it was used already, including by a concurrent
 * request.
 */
export async function consumeCode(ctx: Ctx, { staffId, step }: { staffId: string; step: number }): Promise<boolean> {
  const used = await execute(
    ctx,
    sql`
    update staff_second_factor set last_used_step = ${step}
    where staff_account_id = ${staffId} and coalesce(last_used_step < ${step}, true)`,
  )
  return used > 0
}
