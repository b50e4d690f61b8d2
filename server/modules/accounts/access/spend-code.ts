import { createOTP } from '@better-auth/utils/otp'
import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'

const STEP_MS = 30_000

/** Which step of 30 s since 1970 this code is of: now, the one before or the one after; undefined where it is of none. */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<number | undefined> {
  const current = Math.floor(now.getTime() / STEP_MS)
  for (const step of [current, current - 1, current + 1]) {
    if ((await createOTP(secret).hotp(step)) === code) return step
  }
  return undefined
}

/**
 * Takes the code of this step for used: it and those before it open nothing any more. False where it was used before, also by
 * somebody who gave it at the same moment.
 */
export async function spendCode(ctx: Ctx, { staffId, step }: { staffId: string; step: number }): Promise<boolean> {
  const used = await query(
    ctx,
    Prisma.sql`
    update staff_second_factor set last_used_step = ${step}
    where staff_account_id = ${staffId} and coalesce(last_used_step < ${step}, true) returning 1 as used`,
  )
  return used.length > 0
}
