import type { Ctx } from '#server/core/ctx.ts'
import { dropItems } from '#server/modules/integrations/classifiers/drop-items.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 15_000

/** Drops items that are pending for too long. Safe to run in several processes. */
export function startDroppingItems(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'classifier items', everyMs: LOOK_EVERY_MS, runBatch: dropItems })
}
