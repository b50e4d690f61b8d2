import type { Ctx } from '#server/core/ctx.ts'
import { runSteps } from '#server/core/run-steps.ts'
import {
  closeInterruptedAttempts,
  switchOffFailingEndpoints,
} from '#server/modules/integrations/webhooks/maintain-endpoints.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 15_000

/** Switches off endpoints that have failed for days, and closes attempts of crashed processes. Safe to run in several processes. */
export function startMaintainingEndpoints(ctx: Ctx): RepeatedTask {
  return repeat(ctx, { name: 'endpoints', everyMs: LOOK_EVERY_MS, runBatch: checkBatch })
}

async function checkBatch(ctx: Ctx): Promise<boolean> {
  await runSteps([closeInterruptedAttempts, switchOffFailingEndpoints].map((step) => async () => (await step(ctx)) > 0))
  return false
}
