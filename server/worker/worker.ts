import type { Ctx } from '#server/core/ctx.ts'
import { startEndingBans } from '#server/worker/end-bans.ts'
import { startErasing } from '#server/worker/erase-people.ts'
import { startFinishingBulks } from '#server/worker/finish-bulks.ts'
import type { Repeated } from '#server/worker/repeat.ts'
import { startRetention } from '#server/worker/retention.ts'
import { startSealer } from '#server/worker/sealer.ts'

/** All that a process with the role `worker` does beside answering. `key` is what audit rows are sealed with. */
export function startWorker(ctx: Ctx, key: Buffer): Repeated {
  const tasks = [
    startSealer(ctx, key),
    startFinishingBulks(ctx),
    startEndingBans(ctx),
    startErasing(ctx),
    startRetention(ctx),
  ]
  return {
    stop: async () => {
      await Promise.all(tasks.map((task) => task.stop()))
    },
  }
}
