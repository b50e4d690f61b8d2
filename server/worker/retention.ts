import type { Ctx } from '#server/core/ctx.ts'
import { forgetTokens } from '#server/modules/access/forget-tokens.ts'
import { type Repeated, repeat } from '#server/worker/repeat.ts'

const HOUR_MS = 3_600_000

/** Removes what is kept for a time only. Any number of processes may do it at once. */
export function startRetention(ctx: Ctx): Repeated {
  return repeat(ctx, { name: 'retention', everyMs: HOUR_MS, round: forgetTokens })
}
