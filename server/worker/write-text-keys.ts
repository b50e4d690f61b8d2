import type { Ctx } from '#server/core/ctx.ts'
import { writeTextKeys } from '#server/modules/content/reviewable/write-text-keys.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 1_000

/** Writes the text keys of held items that have none, in batches; after a stop it continues where it ended. */
export function startWritingTextKeys(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'text keys', everyMs: LOOK_EVERY_MS, runBatch: writeTextKeys })
}
