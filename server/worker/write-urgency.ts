import type { Ctx } from '#server/core/ctx.ts'
import { writeUrgency } from '#server/modules/content/reviewable/write-urgency.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 10_000

/** Writes how urgent the items are that an earlier version held, in batches; after a stop it continues where it ended. */
export function startWritingUrgency(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'urgency', everyMs: LOOK_EVERY_MS, runBatch: writeUrgency })
}
