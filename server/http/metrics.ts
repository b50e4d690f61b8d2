import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countConnections, type PoolCounts } from '#server/core/database/count-connections.ts'
import type { OpenReplicas } from '#server/core/replicas/open-replicas.ts'
import { rowsSetAside } from '#server/core/set-aside.ts'
import type { FiguresById } from '#server/modules/integrations/classifiers/figures.ts'
import { notificationFigures } from '#server/modules/integrations/notifications/figures.ts'
import type { SealingState } from '#server/modules/ledger/audit/head-store.ts'
import { countFailedBatches } from '#server/worker/repeat.ts'

export const metrics = new Registry()
collectDefaultMetrics({ register: metrics })

const requestSeconds = new Histogram({
  name: 'docket_http_request_duration_seconds',
  help: 'Duration of HTTP requests, by route',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [metrics],
})

const sealedTo = new Gauge({
  name: 'docket_audit_sealed_to',
  help: 'Number of the last seal of the audit log that this process knows of',
  registers: [metrics],
})
const sealingStopped = new Gauge({
  name: 'docket_audit_sealing_stopped',
  help: '1 while sealing of the audit log is stopped: run "docket audit verify"',
  registers: [metrics],
})

let pool: PoolCounts | undefined
type ShownReplicas = Pick<OpenReplicas, 'states' | 'reads'>
let replicas: ShownReplicas | undefined
let classifiers: FiguresById = new Map()

new Gauge({
  name: 'docket_database_connections',
  help: 'Connections of this process to the database, by state: used or idle',
  labelNames: ['state'],
  registers: [metrics],
  collect() {
    if (pool === undefined) return
    const { used, idle } = countConnections(pool)
    this.set({ state: 'used' }, used)
    this.set({ state: 'idle' }, idle)
  },
})
new Gauge({
  name: 'docket_database_connections_awaited',
  help: 'Statements and transactions of this process that are waiting for a connection',
  registers: [metrics],
  collect() {
    this.set(pool === undefined ? 0 : countConnections(pool).awaited)
  },
})

/** The pool whose connections the metrics show. */
export function showConnections(shown: PoolCounts): void {
  pool = shown
}

new Gauge({
  name: 'docket_replica_usable',
  help: '1 while reads of this process run on the replica',
  labelNames: ['replica'],
  registers: [metrics],
  collect() {
    for (const { name, isUsable } of replicas?.states() ?? []) this.set({ replica: name }, isUsable ? 1 : 0)
  },
})
new Gauge({
  name: 'docket_replica_lag_bytes',
  help: 'Bytes of the write-ahead log that the replica had not replayed when it was last looked at',
  labelNames: ['replica'],
  registers: [metrics],
  collect() {
    for (const { name, lagBytes } of replicas?.states() ?? []) this.set({ replica: name }, lagBytes)
  },
})
new Gauge({
  name: 'docket_replica_lag_seconds',
  help: 'Age of the last commit that the replica had when it was last looked at; 0 if it had all',
  labelNames: ['replica'],
  registers: [metrics],
  collect() {
    for (const { name, lagSeconds } of replicas?.states() ?? []) this.set({ replica: name }, lagSeconds)
  },
})
new Counter({
  name: 'docket_replica_reads_total',
  help: 'Calls that may read from a replica, by where they ran; failed: on a replica, before they ran on the primary',
  labelNames: ['server'],
  registers: [metrics],
  collect() {
    this.reset()
    for (const [server, count] of Object.entries(replicas?.reads ?? {})) this.inc({ server }, count)
  },
})

new Gauge({
  name: 'docket_rows_set_aside',
  help: 'Rows that made a task of this process fail and are left out of it for a while; each is named in the log once',
  labelNames: ['task'],
  registers: [metrics],
  collect() {
    for (const [task, rows] of rowsSetAside()) this.set({ task }, rows.length)
  },
})

new Gauge({
  name: 'docket_task_failed_batches',
  help: 'Batches of a task of this process that have failed since one succeeded: until then the task does nothing',
  labelNames: ['task'],
  registers: [metrics],
  collect() {
    for (const [task, batches] of countFailedBatches()) this.set({ task }, batches)
  },
})

/** The replicas that the metrics show. */
export function showReplicas(shown: ShownReplicas): void {
  replicas = shown
}

new Counter({
  name: 'docket_classifier_items_total',
  help: 'Items that this process asked classifiers about: asked, and of these answered or failed',
  labelNames: ['classifier', 'outcome'],
  registers: [metrics],
  collect() {
    this.reset()
    for (const [classifier, { items }] of classifiers)
      for (const [outcome, count] of Object.entries(items)) this.inc({ classifier, outcome }, count)
  },
})
new Gauge({
  name: 'docket_classifier_items_waiting',
  help: 'Items that wait to be asked about when they were last counted, up to 10,000',
  labelNames: ['classifier'],
  registers: [metrics],
  collect() {
    this.reset()
    for (const [classifier, { waiting }] of classifiers) this.set({ classifier }, waiting)
  },
})
new Gauge({
  name: 'docket_classifier_breaker_open',
  help: '1 while the circuit breaker of the classifier is open: too many requests in a row failed',
  labelNames: ['classifier'],
  registers: [metrics],
  collect() {
    this.reset()
    for (const [classifier, { isOpen }] of classifiers) this.set({ classifier }, isOpen ? 1 : 0)
  },
})

new Counter({
  name: 'docket_notifications_total',
  help: 'Messages with notifications that this process sent or could not send, by channel; one that is tried again counts each time',
  labelNames: ['channel', 'outcome'],
  registers: [metrics],
  collect() {
    this.reset()
    for (const [channel, figures] of Object.entries(notificationFigures))
      for (const [outcome, count] of Object.entries(figures)) this.inc({ channel, outcome }, count)
  },
})

/** The classifiers that the metrics show, by their ids. */
export function showClassifiers(shown: FiguresById): void {
  classifiers = shown
}

export function showSealing({ seq, problem }: SealingState): void {
  sealedTo.set(Number(seq))
  sealingStopped.set(problem === undefined ? 0 : 1)
}

/** Times every answer by its route's pattern, not by its path: ids would create a series each. */
export function measureRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    // A stream lasts as long as its desk is open.
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return
    const route = request.routeOptions.url ?? 'none'
    requestSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}
