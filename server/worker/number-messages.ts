import type { Ctx } from '#server/core/ctx.ts'
import { numberPending } from '#server/modules/content/messages/number-messages.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 10_000

/** Numbers imported messages without a segment, also those of imports that were cut off. */
export function startNumbering(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'numbering', everyMs: LOOK_EVERY_MS, runBatch: numberPending })
}
