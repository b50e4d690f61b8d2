import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseAway } from '#server/core/db.ts'
import { listen } from '#server/core/listen.ts'
import { type Delivering, deliver } from '#server/modules/webhooks/deliver.ts'
import { type DeliveryJob, TRIES_AT_ONCE } from '#server/modules/webhooks/delivery-queue.ts'
import { ENDPOINTS_LIMIT } from '#server/modules/webhooks/schema.ts'
import type { Repeated } from '#server/worker/repeat.ts'

/** All endpoints may be busy at once, and none waits for another. */
const AT_ONCE = ENDPOINTS_LIMIT * TRIES_AT_ONCE
/** For what is due without anybody saying so: a next try, a job of a process that fell over. */
const LOOK_EVERY_MS = 1_000
/** A job that nobody held for 10 s is taken over. */
const HOLD_EVERY_MS = 3_000
/** What still runs then is cut off and tried again by another process. */
const STOP_WITHIN_MS = 3_000

/** Delivers what the queue has, each try on its own. Woken by the sealer, and by each try that ends: the next of its subject is due. */
export function startDelivering(ctx: Ctx, options: Omit<Delivering, 'stopping'>): Repeated {
  const { queue } = options
  const stopping = new AbortController()
  const cutting = new AbortController()
  const running = new Map<DeliveryJob, Promise<void>>()
  let bell = Promise.withResolvers<void>()
  const wake = () => bell.resolve()

  const listener = listen(ctx.pool, { channels: ['docket_events'], onNotice: wake, onConnected: wake, log: ctx.log })
  const holding = setInterval(() => {
    queue.hold([...running.keys()]).catch((err) => ctx.log.warn({ err }, 'deliveries: some could not be held'))
  }, HOLD_EVERY_MS)
  const taking = take()

  async function take(): Promise<void> {
    while (!stopping.signal.aborted) {
      bell = Promise.withResolvers()
      const jobs = await takeDue()
      for (const job of jobs) begin(job)
      if (jobs.length > 0) continue
      await Promise.race([bell.promise, sleep(LOOK_EVERY_MS, undefined, { ref: false })])
    }
  }

  async function takeDue(): Promise<DeliveryJob[]> {
    try {
      return running.size < AT_ONCE ? await queue.take(AT_ONCE - running.size) : []
    } catch (err) {
      logFailure(ctx, err)
      return []
    }
  }

  function begin(job: DeliveryJob): void {
    const ended = deliver(ctx, job, { ...options, stopping: cutting.signal })
      // Nobody holds it any longer: it is taken over.
      .catch((err) => logFailure(ctx, err))
      .finally(() => {
        running.delete(job)
        wake()
      })
    running.set(job, ended)
  }

  return {
    stop: async () => {
      stopping.abort()
      wake()
      await Promise.all([taking, listener.stop()])
      await Promise.race([Promise.all(running.values()), sleep(STOP_WITHIN_MS, undefined, { ref: false })])
      cutting.abort()
      await Promise.all(running.values())
      clearInterval(holding)
    },
  }
}

function logFailure(ctx: Ctx, err: unknown): void {
  ctx.log[isDatabaseAway(err) ? 'warn' : 'error']({ err }, 'deliveries: a try failed on our side and is made again')
}
