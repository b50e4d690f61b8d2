import type { Ctx } from '#server/core/ctx.ts'
import { eraseRound } from '#server/modules/people/erase-round.ts'
import { type Repeated, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 1_000

/** Forgets people whom somebody had erased, piece by piece. */
export function startErasing(ctx: Ctx): Repeated {
  return repeat(ctx, { name: 'erasing', everyMs: LOOK_EVERY_MS, round: eraseRound })
}
