import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable } from '#server/core/db.ts'
import { listen } from '#server/core/listen.ts'
import { type Delivering, deliver } from '#server/modules/integrations/webhooks/deliver.ts'
import { type DeliveryJob, TAKEN_AT_MOST } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { ENDPOINTS_LIMIT } from '#server/modules/integrations/webhooks/schema.ts'
import type { RepeatedTask } from '#server/worker/repeat.ts'

/**
 * At one endpoint; others that were fetched for it queue in memory without blocking anyone. A last try never queues, as it would be lost
 * with the process.
 */
const TRIES_AT_ONCE = 8
/** An endpoint with at most this many gets new ones. */
const FEW = TAKEN_AT_MOST / 2
/** For what becomes due without a notification: a next try, or a job of a process that crashed. */
const LOOK_EVERY_MS = 1_000
/** A job without a heartbeat for 10 s is taken over. */
const HOLD_EVERY_MS = 3_000
/** What is still running then is cut off and retried by another process. */
const STOP_WITHIN_MS = 3_000

/** What this process is delivering to one endpoint. */
interface Lane {
  waiting: DeliveryJob[]
  running: Map<DeliveryJob, Promise<void>>
}

/**
 * Delivers what is in the queue, each try on its own. Woken by the sequencer, and by each try that ends, as the next of its subject is due.
 */
export function startDelivering(ctx: Ctx, options: Omit<Delivering, 'stopping'>): RepeatedTask {
  const { queue } = options
  const stopping = new AbortController()
  const cutting = new AbortController()
  const lanes = new Map<string, Lane>()
  let bell = Promise.withResolvers<void>()
  const wake = () => bell.resolve()

  const listener = listen(ctx.pool, { channels: ['docket_events'], onNotice: wake, onConnected: wake, log: ctx.log })
  const holding = setInterval(() => {
    const taken = [...lanes.values()].flatMap(({ waiting, running }) => [...waiting, ...running.keys()])
    queue.hold(taken).catch((err) => logFailure(ctx, err))
  }, HOLD_EVERY_MS)
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
      if (jobs.length === 0) await Promise.race([bell.promise, pause(LOOK_EVERY_MS)])
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

  function laneOf({ endpointId }: DeliveryJob): Lane {
    const lane = lanes.get(endpointId) ?? { waiting: [], running: new Map() }
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
    const ended = deliver(ctx, job, { ...options, stopping: cutting.signal })
      // The job has lost its holder and is taken over.
      .catch((err) => logFailure(ctx, err))
      .finally(() => {
        lane.running.delete(job)
        goOn(lane)
        if (sizeOf(lane) <= FEW) wake()
      })
    lane.running.set(job, ended)
  }

  return {
    stop: async () => {
      stopping.abort()
      wake()
      await Promise.all([taking, listener.stop()])
      const left = [...lanes.values()]
      await queue.release(left.flatMap(({ waiting }) => waiting.splice(0))).catch((err) => logFailure(ctx, err))
      const running = Promise.all(left.flatMap((lane) => [...lane.running.values()]))
      await Promise.race([running, pause(STOP_WITHIN_MS)])
      cutting.abort()
      await running
      clearInterval(holding)
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
