import type { Ctx } from '#server/core/ctx.ts'
import { type Looked, returnToShadow } from '#server/modules/review/rule-records/return-to-shadow.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const LOOK_EVERY_MS = 15_000

/** Sets rules back to shadow that people overturn too often; at first also those they overturned while no process ran. */
export function startWatchingRules(ctx: Ctx): RepeatedTask {
  // Decisions are numbered, and ends of mutes dated, before they are committed: each look goes back to the look before the last.
  let [seen, seenBefore]: [Looked?, Looked?] = []
  return repeat(ctx, {
    name: 'rules',
    everyMs: LOOK_EVERY_MS,
    runBatch: async (ctx) => {
      const latest = await returnToShadow(ctx, seenBefore)
      seenBefore = seen
      seen = latest
      return false
    },
  })
}
