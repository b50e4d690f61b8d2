import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { runSteps } from '#server/core/run-steps.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import type { DeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import {
  createDeliveries,
  enqueueDeliveries,
  hasUnqueuedDeliveries,
} from '#server/modules/integrations/webhooks/enqueue-deliveries.ts'
import type { HeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { sealAudit } from '#server/modules/ledger/audit/seal-audit.ts'
import { foldDeltas } from '#server/modules/ledger/counts/fold-deltas.ts'
import { findLines, sequenceEvents, wakeListeners } from '#server/modules/ledger/events/release-events.ts'
import { whileAlone } from '#server/modules/ledger/while-alone.ts'
import { msUntil, type RepeatedTask, repeat, stopAll } from '#server/worker/repeat.ts'

/** How often events are published: with more at once, each of them costs less. */
const PUBLISH_EVERY_MS = 75
/** The same for the rest. Deliveries follow their events without a pause. */
const FOLLOW_EVERY_MS = 250

interface SequencerParts {
  /** Without it, deliveries wait for a sequencer that has one. */
  queue?: DeliveryQueue | undefined
  /** What is known of the log's end outside the database. */
  heads?: HeadStore | undefined
  /** Seals even if no row is pending. */
  sealsAlways?: boolean | undefined
}

/**
 * Orders committed rows: numbers events and releases those whose undo time is over; beside that, queues deliveries, chains audit rows and
 * folds counts. Writes only insert and never wait for each other, as only the sequencer assigns an order. Its first batch seals even if no row
 * is pending: a problem at the end of the log shows at the start of the process, and the statements are prepared before the first burst.
 */
export function startSequencer(ctx: Ctx, key: Buffer, parts: SequencerParts = {}): RepeatedTask {
  const delivering = repeat(ctx, {
    name: 'queueing deliveries',
    everyMs: FOLLOW_EVERY_MS,
    wokenBy: ['delivery'],
    runBatch: (ctx) => queueDeliveries(ctx, parts),
  })
  const publishing = repeat(ctx, {
    name: 'events',
    everyMs: PUBLISH_EVERY_MS,
    wokenBy: ['event'],
    runBatch: (ctx) => publishEvents(ctx, delivering.wake),
  })
  let sealsAlways = true
  const following = repeat(ctx, {
    name: 'sequencer',
    everyMs: FOLLOW_EVERY_MS,
    wokenBy: ['audit', 'tally_delta'],
    runBatch: (ctx) => {
      const batch = sealAndFold(ctx, key, { ...parts, sealsAlways })
      sealsAlways = false
      return batch
    },
  })
  return stopAll([publishing, delivering, following])
}

/** One batch of everything; true if more is pending than that takes. */
export async function sequenceBatch(ctx: Ctx, key: Buffer, parts: SequencerParts = {}): Promise<boolean> {
  const published = await publishEvents(ctx)
  const queued = await queueDeliveries(ctx, parts)
  return [published, queued, await sealAndFold(ctx, key, parts)].includes(true)
}

/** An event that fails is set aside with all others about the same subject: none of them may overtake it. */
const setAside = createSetAside('events')

/**
 * Numbers and releases events, so that desks and endpoints receive them, then calls `onPublished`. Another process may be at it, with an
 * older view: what is pending is looked for again.
 */
async function publishEvents(ctx: Ctx, onPublished?: () => void): Promise<boolean | number> {
  const pending = await queryOne<{ isUnnumbered: boolean; releasesAt: Date | null }>(
    ctx,
    sql`
    select exists (select from event where seq is null) as is_unnumbered,
      (select min(releases_at) from event where state = 'held') as releases_at`,
  )
  const dueInMs = msUntil(ctx, pending?.releasesAt)
  if (pending?.isUnnumbered !== true && dueInMs !== 0) return dueInMs
  let published = 0
  await setAside.workBatch(ctx, async (batch) => {
    try {
      const lines = (await whileAlone(ctx, 'events', (ctx) => publishBatch(ctx, batch))) ?? []
      batch.take(lines)
      published += lines.length
    } catch (error) {
      // Looked up only now: mostly one statement finds and numbers them.
      batch.take(await findLines(ctx, batch))
      throw error
    }
  })
  if (published > 0) onPublished?.()
  return published >= BATCH_SIZE || 0
}

/** Returns the line of each event. */
async function publishBatch(ctx: Ctx, batch: Batch): Promise<string[]> {
  const events = await sequenceEvents(ctx, batch)
  const seqs = events.filter(({ isPublished }) => isPublished).map(({ seq }) => seq)
  if (events.length > 0) await Promise.all([createDeliveries(ctx, seqs), wakeListeners(ctx)])
  return events.map(({ line }) => line)
}

async function queueDeliveries(ctx: Ctx, { queue }: SequencerParts): Promise<boolean | number> {
  if (queue === undefined) return false
  const isWaiting = await queryOne(ctx, sql`select from (select) one where ${hasUnqueuedDeliveries}`)
  if (isWaiting === undefined) return false
  return (await enqueueDeliveries(ctx, queue)) >= BATCH_SIZE || 0
}

/** Each step in a transaction of its own; one that fails does not stop the others. */
async function sealAndFold(
  ctx: Ctx,
  key: Buffer,
  { heads, sealsAlways = false }: SequencerParts,
): Promise<boolean | number> {
  const work = await findWork(ctx)
  const steps = [
    (work.rows || sealsAlways) && (() => sealAudit(ctx, key, heads)),
    work.counts && (() => whileAlone(ctx, 'counts', foldCounts)),
  ].filter((step) => step !== false)
  if (steps.length === 0) return false
  return (await runSteps(steps.map((step) => async () => ((await step()) ?? 0) >= BATCH_SIZE))) || 0
}

/** All of them at once: nothing is left. */
async function foldCounts(ctx: Ctx): Promise<number> {
  await foldDeltas(ctx)
  return 0
}

/** Each part reads a small or partial index. */
async function findWork(ctx: Ctx): Promise<Work> {
  const work = await queryOne<Work>(
    ctx,
    sql`
    select exists (select from audit_unsealed) as rows, exists (select from tally_delta) as counts`,
  )
  return work ?? { rows: false, counts: false }
}

interface Work {
  /** Of the log. */
  rows: boolean
  counts: boolean
}
