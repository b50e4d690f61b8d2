import type { Ctx } from '#server/core/ctx.ts'
import { judgeImported } from '#server/modules/content/imported/judge-imported.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 5_000

/** Has rules judge what was imported and waits for review, in batches; after a stop it continues where it ended. */
export function startJudgingImported(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'imported items', everyMs: LOOK_EVERY_MS, runBatch: judgeImported })
}
