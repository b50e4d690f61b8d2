import { setTimeout as sleep } from 'node:timers/promises'
import { batched } from '#server/core/batched.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import { listen } from '#server/core/database/listen.ts'
import { inFirstSpan, inJobTrace } from '#server/core/tracing.ts'
import { type Asking, askClassifier } from '#server/modules/integrations/classifiers/ask-classifier.ts'
import { claimProbes } from '#server/modules/integrations/classifiers/breaker.ts'
import {
  countRequest,
  countWaiting,
  type FiguresById,
  figuresOf,
  updateFigures,
} from '#server/modules/integrations/classifiers/figures.ts'
import { fillQueues } from '#server/modules/integrations/classifiers/fill-queues.ts'
import { type RunningClassifier, readRunning } from '#server/modules/integrations/classifiers/read-running.ts'
import { type EndedRequest, recordAnswers } from '#server/modules/integrations/classifiers/record-answers.ts'
import { releaseItems, type TakenItem, takeItems } from '#server/modules/integrations/classifiers/take-items.ts'
import { openOutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import type { RepeatedTask } from '#server/worker/repeat.ts'

/** Of one process to one classifier. */
const REQUESTS_AT_ONCE = 8
/** For what becomes due without a notification: a next attempt, a probe, or an item of a process that crashed. */
const LOOK_EVERY_MS = 1_000
/** For the first classifier. */
const LOOK_WITHOUT_EVERY_MS = 15_000
/** How often the figures of waiting items are updated. */
const COUNT_EVERY_MS = 15_000
/** Requests that end within this time share their statements. */
const END_WINDOW_MS = 25
/** Requests that are still running then are cut off; what they are about is asked again. */
const STOP_WITHIN_MS = 3_000

/** What this process is asking one classifier. */
interface Lane {
  running: number
  record: (request: EndedRequest) => Promise<void>
}

type ClassifierOptions = Pick<Asking, 'key' | 'outside'> & { figures?: FiguresById }

/**
 * Asks classifiers about what is written: after it is committed, from their queues, so that no write waits for them. Woken by the sequencer and
 * by each request that ends. Safe to run in several processes.
 */
export function startAskingClassifiers(ctx: Ctx, { figures = new Map(), ...options }: ClassifierOptions): RepeatedTask {
  const stopping = new AbortController()
  const cutting = new AbortController()
  const connections = openOutsideConnections()
  const asking: Asking = { ...options, connections, now: ctx.now, stopping: cutting.signal }
  const lanes = new Map<string, Lane>()
  const unfinished = new Set<Promise<void>>()
  let countAt = 0
  let bell = Promise.withResolvers<void>()
  const wake = () => bell.resolve()

  const listener = listen(ctx.pool, { channels: ['docket_events'], onNotice: wake, onConnected: wake, log: ctx.log })
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const running = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      bell = Promise.withResolvers()
      const startedAt = performance.now()
      const next = await inJobTrace({ name: 'job classifiers' }, askDue).catch((err): Next => {
        logFailure(ctx, err)
        return 'later'
      })
      // Limits looking to half of the time.
      await Promise.race([stopped, pause(performance.now() - startedAt)])
      if (next === 'later') await Promise.race([stopped, pause(LOOK_WITHOUT_EVERY_MS)])
      if (next === 'when woken') await Promise.race([bell.promise, pause(LOOK_EVERY_MS)])
    }
  }

  /** Takes what is due and begins to ask about it. */
  async function askDue(): Promise<Next> {
    const classifiers = await readRunning(ctx)
    updateFigures(figures, classifiers)
    if (classifiers.length === 0) return 'later'
    await countSometimes()
    const more = await fillQueues(ctx)
    const probed = classifiers.some(({ isOpen }) => isOpen) ? await claimProbes(ctx) : []
    const wanted = classifiers.flatMap(({ classifierId, batchSize, isOpen }) => {
      const free = isOpen ? Number(probed.includes(classifierId)) : REQUESTS_AT_ONCE - laneOf(classifierId).running
      return free > 0 ? [{ classifierId, limit: free * batchSize }] : []
    })
    const items = wanted.length > 0 ? await takeItems(ctx, wanted) : []
    const byClassifier = Map.groupBy(items, ({ classifierId }) => classifierId)
    for (const classifier of classifiers) {
      const itsItems = byClassifier.get(classifier.classifierId) ?? []
      for (let start = 0; start < itsItems.length; start += classifier.batchSize)
        begin(classifier, itsItems.slice(start, start + classifier.batchSize))
    }
    return more || items.length > 0 ? 'now' : 'when woken'
  }

  async function countSometimes(): Promise<void> {
    if (performance.now() < countAt) return
    countAt = performance.now() + COUNT_EVERY_MS
    await countWaiting(ctx, figures)
  }

  function laneOf(classifierId: string): Lane {
    const lane = lanes.get(classifierId) ?? { running: 0, record: createRecorder(ctx, classifierId) }
    lanes.set(classifierId, lane)
    return lane
  }

  function begin(classifier: RunningClassifier, items: TakenItem[]): void {
    const lane = laneOf(classifier.classifierId)
    lane.running += 1
    const finished = ask(classifier, items, lane)
      // What was taken is asked about again when the time of this process is over.
      .catch((err) => logFailure(ctx, err))
      .finally(() => unfinished.delete(finished))
    unfinished.add(finished)
  }

  async function ask(classifier: RunningClassifier, items: TakenItem[], lane: Lane): Promise<void> {
    const { classifierId } = classifier
    await inJobTrace({ name: 'job classifier', attributes: { 'docket.classifier.id': classifierId } }, async () => {
      const sending = inFirstSpan({ name: 'ask classifier', kind: 'client' }, () =>
        askClassifier(classifier, items, asking),
      )
      const outcome = await sending.finally(() => {
        lane.running -= 1
        wake()
      })
      if (outcome.problem === 'interrupted') return releaseItems(ctx, items)
      countRequest(figuresOf(figures, classifierId), items, outcome)
      await lane.record({ items, outcome })
    })
  }

  return {
    stop: async () => {
      stopping.abort()
      wake()
      await Promise.all([running, listener.stop()])
      const finished = Promise.all(unfinished)
      await Promise.race([finished, pause(STOP_WITHIN_MS)])
      cutting.abort()
      await finished
      connections.close()
    },
  }
}

/** When to look again: nothing can be due before a notice, or there is no classifier at all. */
type Next = 'now' | 'when woken' | 'later'

function createRecorder(ctx: Ctx, classifierId: string): Lane['record'] {
  return batched(
    async (requests: EndedRequest[]) => {
      const breaker = await recordAnswers(ctx, classifierId, requests)
      const [wasOpen, isOpen] = [breaker?.before, breaker?.after].map((state) => (state?.openedAt ?? null) !== null)
      if (isOpen && !wasOpen) ctx.log.warn({ classifierId }, 'classifiers: circuit breaker opened')
      if (wasOpen && !isOpen) ctx.log.info({ classifierId }, 'classifiers: circuit breaker closed')
      return requests.map(() => undefined)
    },
    { windowMs: END_WINDOW_MS },
  )
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false })
}

function logFailure(ctx: Ctx, err: unknown): void {
  ctx.log[isDatabaseUnavailable(err) ? 'warn' : 'error']({ err }, 'classifiers: internal failure, retrying')
}
