import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import { listen } from '#server/core/database/listen.ts'
import { inFirstSpan, inJobTrace } from '#server/core/tracing.ts'
import { createDeliverer, type Delivering } from '#server/modules/integrations/webhooks/deliver.ts'
import { type DeliveryJob, TAKEN_AT_MOST } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { DELIVERIES_CHANNEL } from '#server/modules/integrations/webhooks/enqueue-deliveries.ts'
import { openOutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { ENDPOINTS_LIMIT } from '#server/modules/integrations/webhooks/schema.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

/**
 * At one endpoint; others that were fetched for it queue in memory without blocking anyone. A last attempt never queues, as it would be lost
 * with the process.
 */
const TRIES_AT_ONCE = 8
/** An endpoint with at most this many gets new ones. */
const FEW = TAKEN_AT_MOST / 4
/** For what becomes due without a notification: a next attempt, or a job of a process that crashed. */
const LOOK_EVERY_MS = 1_000
/** A job without a heartbeat is looked for this often, */
const SUPERVISE_EVERY_MS = 2_000
/** and all of this where no job is unfinished. */
const IDLY_EVERY_MS = 15_000
/** A job without a heartbeat for 10 s is taken over. */
const HOLD_EVERY_MS = 3_000
/** What is still running then is cut off and retried by another process. */
const STOP_WITHIN_MS = 3_000

/** What this process is delivering to one endpoint. */
interface Lane {
  waiting: DeliveryJob[]
  /** Those being begun or sent. */
  running: Set<DeliveryJob>
}

type DeliveryOptions = Pick<Delivering, 'queue' | 'key' | 'outside'>

/**
 * Delivers what is in the queue, each attempt on its own. Woken by the sequencer, and by each attempt that ends, as the next of its subject is due.
 */
export function startDelivering(ctx: Ctx, options: DeliveryOptions): RepeatedTask {
  const { queue } = options
  const stopping = new AbortController()
  const cutting = new AbortController()
  const connections = openOutsideConnections()
  const deliverer = createDeliverer(ctx, { ...options, connections, stopping: cutting.signal })
  const lanes = new Map<string, Lane>()
  /** Tries whose results are not stored yet. */
  const unfinished = new Set<Promise<void>>()
  let bell = Promise.withResolvers<void>()
  const wake = () => bell.resolve()

  const listener = listen(ctx.pool, { channels: [DELIVERIES_CHANNEL], onNotice: wake, onConnected: wake, log: ctx.log })
  // Without those that are being recorded: that takes moments, and both would lock the same jobs.
  const holding = setInterval(() => {
    const taken = [...lanes.values()].flatMap(({ waiting, running }) => [...waiting, ...running])
    queue.hold(taken).catch((err) => logFailure(ctx, err))
  }, HOLD_EVERY_MS)
  let superviseAt = 0
  const supervising = repeat(ctx, {
    name: 'delivery queue',
    everyMs: SUPERVISE_EVERY_MS,
    runBatch: async () => {
      if (performance.now() < superviseAt && !(await queue.hasUnfinished())) return false
      await queue.supervise()
      superviseAt = performance.now() + IDLY_EVERY_MS
      return false
    },
  })
  const taking = take()

  async function take(): Promise<void> {
    while (!stopping.signal.aborted) {
      bell = Promise.withResolvers()
      const startedAt = performance.now()
      const jobs = await takeDue()
      for (const job of jobs) {
        if (job.isLast) begin(laneOf(job), job)
        else laneOf(job).waiting.push(job)
      }
      for (const lane of lanes.values()) goOn(lane)
      // With many due, looking takes long: limits it to half of the time.
      const tookMs = performance.now() - startedAt
      if (jobs.length === 0) await Promise.race([bell.promise, pause(await idleMs())])
      await Promise.race([once(stopping.signal), pause(tookMs)])
    }
  }

  async function takeDue(): Promise<DeliveryJob[]> {
    const notOf = [...lanes].flatMap(([endpointId, lane]) => (sizeOf(lane) > FEW ? [endpointId] : []))
    try {
      return await queue.take({ limit: ENDPOINTS_LIMIT * TAKEN_AT_MOST, notOf })
    } catch (err) {
      logFailure(ctx, err)
      return []
    }
  }

  async function idleMs(): Promise<number> {
    const mayBecomeDue = await queue.hasUnfinished().catch(() => true)
    return mayBecomeDue ? LOOK_EVERY_MS : IDLY_EVERY_MS
  }

  function laneOf({ endpointId }: DeliveryJob): Lane {
    const lane = lanes.get(endpointId) ?? { waiting: [], running: new Set() }
    lanes.set(endpointId, lane)
    return lane
  }

  function goOn(lane: Lane): void {
    while (lane.running.size < TRIES_AT_ONCE && !stopping.signal.aborted) {
      const job = lane.waiting.shift()
      if (job === undefined) return
      begin(lane, job)
    }
  }

  function begin(lane: Lane, job: DeliveryJob): void {
    lane.running.add(job)
    const finished = deliver(lane, job)
      // The job has lost its holder and is taken over.
      .catch((err) => logFailure(ctx, err))
      .finally(() => {
        unfinished.delete(finished)
        if (sizeOf(lane) <= FEW) wake()
      })
    unfinished.add(finished)
  }

  /** The next attempt starts as soon as this one is sent: it does not wait for the result to be stored. */
  async function deliver(lane: Lane, job: DeliveryJob): Promise<void> {
    await inJobTrace({ name: 'job delivery', attributes: { 'docket.endpoint.id': job.endpointId } }, async () => {
      const sending = inFirstSpan({ name: 'send webhook', kind: 'client' }, () => deliverer.send(job))
      const ended = await sending.finally(() => {
        lane.running.delete(job)
        goOn(lane)
      })
      if (ended !== undefined) await deliverer.record(ended)
    })
  }

  return {
    stop: async () => {
      stopping.abort()
      wake()
      await Promise.all([taking, supervising.stop(), listener.stop()])
      const left = [...lanes.values()]
      await queue.release(left.flatMap(({ waiting }) => waiting.splice(0))).catch((err) => logFailure(ctx, err))
      const finished = Promise.all(unfinished)
      await Promise.race([finished, pause(STOP_WITHIN_MS)])
      cutting.abort()
      await finished
      clearInterval(holding)
      connections.close()
    },
  }
}

function sizeOf({ waiting, running }: Lane): number {
  return waiting.length + running.size
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false })
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function logFailure(ctx: Ctx, err: unknown): void {
  ctx.log[isDatabaseUnavailable(err) ? 'warn' : 'error']({ err }, 'deliveries: internal failure, retrying')
}
