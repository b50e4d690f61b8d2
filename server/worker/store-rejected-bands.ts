import type { Ctx } from '#server/core/ctx.ts'
import { storeRejectedBands } from '#server/modules/review/rejected/store-rejected-bands.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 500

/** Stores the bands of texts that people reject, in batches; after a stop it continues where it ended. */
export function startStoringRejectedBands(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'rejected bands', everyMs: LOOK_EVERY_MS, runBatch: storeRejectedBands })
}
