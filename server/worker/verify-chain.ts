import type { Ctx } from '#server/core/ctx.ts'
import type { HeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { verifyBatch } from '#server/modules/ledger/audit/walk-chain.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

/** A few milliseconds of work each time: ten million acts are verified in an hour and a half, beside other work. */
const EVERY_MS = 1_000

/** Verifies the chain of the log continuously, so that the desk can show how far it is valid. Several processes repeat the same work. */
export function startVerifyingChain(ctx: Ctx, key: Buffer, heads: HeadStore): RepeatedTask {
  return repeat(ctx, {
    name: 'chain',
    everyMs: EVERY_MS,
    runBatch: async (ctx) => {
      await verifyBatch(ctx, key, await heads.known())
      return false
    },
  })
}
