import type { Ctx } from '#server/core/ctx.ts'
import { runSteps } from '#server/core/run-steps.ts'
import { liftEndedBans } from '#server/modules/spaces/sanctions/lift-ended-bans.ts'
import { liftEndedMutes } from '#server/modules/spaces/sanctions/lift-ended-mutes.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 1_000

/** Lifts bans and mutes that have ended, including those that ended while no process ran. */
export function startEndingBans(ctx: Ctx): RepeatedTask {
  return repeat(ctx, {
    name: 'bans',
    everyMs: LOOK_EVERY_MS,
    runBatch: (ctx) =>
      runSteps([async () => (await liftEndedBans(ctx)) > 0, async () => (await liftEndedMutes(ctx)) > 0]),
  })
}
