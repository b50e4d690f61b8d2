import type { Ctx } from '#server/core/ctx.ts'
import { eraseBatch } from '#server/modules/people/erase-batch.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 1_000

/** Erases the data of people whose erasure was requested, piece by piece. */
export function startErasing(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'erasing', everyMs: LOOK_EVERY_MS, runBatch: eraseBatch })
}
