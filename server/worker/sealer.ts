import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { ROWS_A_ROUND } from '#server/core/rounds.ts'
import { sealAudit } from '#server/modules/audit/seal-audit.ts'
import { foldDeltas } from '#server/modules/counts/fold-deltas.ts'
import { numberEvents, releaseEvents, wakeListeners } from '#server/modules/events/release-events.ts'
import type { DeliveryQueue } from '#server/modules/webhooks/delivery-queue.ts'
import { makeDeliveries, queueDeliveries, someAreUntold } from '#server/modules/webhooks/queue-deliveries.ts'
import { type Repeated, repeat } from '#server/worker/repeat.ts'

const TICK_MS = 75
/** Held by whichever process seals; of several, each may do the next round. */
const SEALER_LOCK = 72_707_370

/**
 * Puts what is committed in order: chains audit rows, numbers events, folds counts, releases what has waited out its undo time.
 * Changes only insert; this is the one place where an order is made, so they never wait for each other. Without a queue, deliveries
 * wait for a sealer that has one.
 */
export function startSealer(ctx: Ctx, key: Buffer, queue?: DeliveryQueue): Repeated {
  return repeat(ctx, { name: 'sealer', everyMs: TICK_MS, round: (ctx) => sealRound(ctx, key, queue) })
}

/** One round, in one transaction. True where more waits than one round takes. */
export async function sealRound(ctx: Ctx, key: Buffer, queue?: DeliveryQueue): Promise<boolean> {
  if (!(await hasWork(ctx))) return false
  return inTransaction(ctx, async (ctx) => {
    const lock = await queryOne<{ mine: boolean }>(
      ctx,
      Prisma.sql`select pg_try_advisory_xact_lock(${SEALER_LOCK}::bigint) as mine`,
    )
    if (lock?.mine !== true) return false

    const sealed = await sealAudit(ctx, key)
    const numbered = await numberEvents(ctx)
    const folded = await foldDeltas(ctx)
    const released = await releaseEvents(ctx)
    const told = [...numbered, ...released].filter(({ isReleased }) => isReleased).map(({ seq }) => seq)
    await makeDeliveries(ctx, told)
    const queued = queue === undefined ? 0 : await queueDeliveries(ctx, queue)
    if (numbered.length + folded + released.length + queued > 0) await wakeListeners(ctx)
    return Math.max(sealed, numbered.length, released.length, queued) >= ROWS_A_ROUND
  })
}

/** Cheap enough to ask many times a second: each part is one look at a small or partial index. */
async function hasWork(ctx: Ctx): Promise<boolean> {
  const work = await queryOne<{ any: boolean }>(
    ctx,
    Prisma.sql`
    select exists (select from audit_unsealed) or exists (select from event where seq is null) or exists (select from tally_delta)
      or exists (select from event where state = 'held' and releases_at <= ${ctx.now()}) or ${someAreUntold} as any`,
  )
  return work?.any === true
}
