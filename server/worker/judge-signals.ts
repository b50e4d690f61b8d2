import type { Ctx } from '#server/core/ctx.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 1_000

/** Has rules judge the scores that classifiers send. */
export function startJudgingSignals(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'signals', everyMs: LOOK_EVERY_MS, runBatch: judgeSignals })
}
