import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import type { DeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import {
  createDeliveries,
  enqueueDeliveries,
  hasUnqueuedDeliveries,
} from '#server/modules/integrations/webhooks/enqueue-deliveries.ts'
import type { HeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { SEQUENCER_LOCK, sealAudit } from '#server/modules/ledger/audit/seal-audit.ts'
import { foldDeltas } from '#server/modules/ledger/counts/fold-deltas.ts'
import { foldHeldDays } from '#server/modules/ledger/counts/fold-held-days.ts'
import { foldHeldTexts } from '#server/modules/ledger/counts/fold-held-texts.ts'
import { sequenceEvents, wakeListeners } from '#server/modules/ledger/events/release-events.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const TICK_MS = 75

interface SequencerParts {
  /** Without it, deliveries wait for a sequencer that has one. */
  queue?: DeliveryQueue | undefined
  /** What is known of the log's end outside the database. */
  heads?: HeadStore | undefined
  /** Seals even if no row is pending. */
  sealsAlways?: boolean | undefined
}

/**
 * Orders committed rows: chains audit rows, numbers events, folds counts, and releases events whose undo time is over. Writes only insert
 * and never wait for each other, as only the sequencer assigns an order. Its first batch seals even if no row is pending: a problem at the
 * end of the log shows at the start of the process, and the statements are prepared before the first burst.
 */
export function startSequencer(ctx: Ctx, key: Buffer, parts: SequencerParts = {}): RepeatedTask {
  let sealsAlways = true
  return repeat(ctx, {
    name: 'sequencer',
    everyMs: TICK_MS,
    runBatch: (ctx) => {
      const batch = sequenceBatch(ctx, key, { ...parts, sealsAlways })
      sealsAlways = false
      return batch
    },
  })
}

/**
 * One batch: the log first, then events, each in its own transaction under the same lock. Events are released even if the log has an error.
 * True if more is pending than one batch takes.
 */
export async function sequenceBatch(
  ctx: Ctx,
  key: Buffer,
  { queue, heads, sealsAlways = false }: SequencerParts = {},
): Promise<boolean> {
  const work = await findWork(ctx)
  const [sealing] = await Promise.allSettled([work.rows || sealsAlways ? sealAudit(ctx, key, heads) : 0])
  const numbered = work.events ? await numberBatch(ctx, queue) : 0
  // By itself: after an import there are many, and events don't wait for them.
  const folded = work.texts ? await whileAlone(ctx, foldHeldTexts) : 0
  if (sealing.status === 'rejected') throw sealing.reason
  return Math.max(sealing.value, numbered, folded) >= BATCH_SIZE
}

/** Returns the largest number of rows any step processed. */
function numberBatch(ctx: Ctx, queue: DeliveryQueue | undefined): Promise<number> {
  return whileAlone(ctx, async (ctx) => {
    const [events, folded] = await Promise.all([sequenceEvents(ctx), foldDeltas(ctx)])
    if (folded > 0) await foldHeldDays(ctx)
    await createDeliveries(
      ctx,
      events.filter(({ isPublished }) => isPublished).map(({ seq }) => seq),
    )
    const queued = queue === undefined ? 0 : await enqueueDeliveries(ctx, queue)
    if (events.length + folded + queued > 0) await wakeListeners(ctx)
    return Math.max(events.length, queued)
  })
}

/** In a transaction in which no other process is a sequencer; 0 where one is. */
function whileAlone(ctx: Ctx, work: (ctx: Ctx) => Promise<number>): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const lock = await queryOne<{ mine: boolean }>(
      ctx,
      sql`select pg_try_advisory_xact_lock(${SEQUENCER_LOCK}::bigint) as mine`,
    )
    return lock?.mine === true ? work(ctx) : 0
  })
}

/** Cheap enough to run many times a second: each part reads a small or partial index. */
async function findWork(ctx: Ctx): Promise<Work> {
  const work = await queryOne<Work>(
    ctx,
    sql`
    select exists (select from audit_unsealed) as rows,
      exists (select from event where seq is null) or exists (select from tally_delta)
      or exists (select from event where state = 'held' and releases_at <= ${ctx.now()}) or ${hasUnqueuedDeliveries} as events,
      exists (select from held_text_delta) as texts`,
  )
  return work ?? { rows: false, events: false, texts: false }
}

interface Work {
  rows: boolean
  events: boolean
  texts: boolean
}
