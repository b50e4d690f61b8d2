import type { Ctx } from '#server/core/ctx.ts'
import type { HeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { walkRound } from '#server/modules/ledger/audit/walk-chain.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

/** A few milliseconds' work each time: ten million acts are walked along in an hour and a half, beside all else. */
const EVERY_MS = 1_000

/** Checks the chain of the log all the time, so that the desk can say how far it holds. Several processes do the same work twice. */
export function startWalkingTheChain(ctx: Ctx, key: Buffer, heads: HeadStore): RepeatedTask {
  return repeat(ctx, {
    name: 'chain',
    everyMs: EVERY_MS,
    runBatch: async (ctx) => {
      await walkRound(ctx, key, await heads.known())
      return false
    },
  })
}
