import { createHash } from 'node:crypto'
import { type Db, PgBoss, type QueueOptions } from 'pg-boss'
import type { Ctx } from '#server/core/ctx.ts'
import { connectTo } from '#server/core/database/database-client.ts'
import { execute, query, queryOne, sql } from '#server/core/db.ts'
import { KEPT_DAYS } from '#server/modules/ledger/events/forget-events.ts'

const QUEUE = 'deliveries'
const CONNECTIONS = 2
/**
 * Until the table of jobs has statistics, the planner expects a single row and compares all jobs with all jobs: taking some of 1,000 due
 * jobs took 275 ms. Without nested loops it takes 20 ms, and no statement becomes slower.
 */
const SESSION_OPTIONS = '-c jit=off -c enable_nestloop=off'
const DAY_SECONDS = 24 * 3_600

/** Tries at 0 s, then after 4 to 8 s, 8 to 16 s and so on up to every two hours: the last of them after 72 to 75 hours. */
const RETRIES = { retryLimit: 46, retryDelay: 4, retryBackoff: true, retryDelayMax: 7_200 }

const TRIES_OF_REPLAY = 4

const KEPT = {
  heartbeatSeconds: 10,
  // Longer than a process needs for all jobs it takes at once if each attempt ends at its time limit.
  expireInSeconds: 240,
  retentionSeconds: KEPT_DAYS * DAY_SECONDS,
  deleteAfterSeconds: KEPT_DAYS * DAY_SECONDS,
}

/** Jobs of one endpoint taken at once, over all processes. Fetching scans all due jobs, so it must not run for each delivery. */
export const TAKEN_AT_MOST = 128

export interface QueuedDelivery {
  deliveryId: string
  endpointId: string
  subjectType: string
  subjectId: string
}

/** One attempt at a delivery, claimed by this process. */
export interface DeliveryJob {
  /** The id of the delivery. */
  id: string
  endpointId: string
  retryCount: number
  /** After the last attempt, nothing is retried automatically. */
  isLast: boolean
}

/**
 * The pg-boss jobs behind the deliveries: strictly in order for one endpoint and subject, taken over from a process that died.
 * Methods that take a context work in its transaction.
 */
export interface DeliveryQueue {
  /** Existing jobs stay unchanged. */
  add(ctx: Ctx, deliveries: QueuedDelivery[]): Promise<void>
  /** Retries jobs that were given up or are between attempts: at once, and a few more times if they fail. */
  tryAgain(ctx: Ctx, deliveryIds: string[]): Promise<void>
  remove(ctx: Ctx, deliveryIds: string[]): Promise<void>
  /** Schedules the next attempt of each job, and returns the times by delivery id: none after a last attempt. */
  putBack(ctx: Ctx, jobs: DeliveryJob[]): Promise<Map<string, Date>>
  /** Claims up to this many due jobs, except those of the given endpoints. */
  take(options: { limit: number; notOf: string[] }): Promise<DeliveryJob[]>
  /** Whether a job is pending or being worked on: one may become due without a notification. */
  hasUnfinished(): Promise<boolean>
  /** Has jobs without a heartbeat taken over, and deletes old ones: a dozen statements. */
  supervise(): Promise<void>
  /** Returns claimed jobs that were not started; they are due again soon. */
  release(jobs: DeliveryJob[]): Promise<void>
  /** Reports that these are still being worked on. */
  hold(jobs: DeliveryJob[]): Promise<void>
  close(): Promise<void>
}

/** Creates the queue if it does not exist. `retries` is for tests. */
export async function openDeliveryQueue(ctx: Ctx, retries: QueueOptions = RETRIES): Promise<DeliveryQueue> {
  const boss = new PgBoss({
    // Past a pooler, which would lose the settings of its sessions.
    ...connectTo(ctx.pool.directUrl ?? ctx.pool.options.connectionString ?? ''),
    // Requesting an existing schema needs the right to create schemas, which the embedded database does not grant the server.
    createSchema: !(await hasSchema(ctx)),
    application_name: 'docket deliveries',
    options: SESSION_OPTIONS,
    max: CONNECTIONS,
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: 2,
  })
  boss.on('error', (err) => ctx.log.warn({ err }, 'deliveries: queue error, continuing'))
  boss.on('warning', ({ message, data }) => ctx.log.warn({ data }, `deliveries: ${message}`))
  try {
    await boss.start()
    await boss.createQueue(QUEUE, { policy: 'key_strict_fifo' })
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }

  return {
    add: async (ctx, deliveries) => {
      const jobs = deliveries.map((delivery) => ({ ...jobOf(delivery), ...KEPT, ...retries }))
      if (jobs.length > 0) await boss.insert(QUEUE, jobs, inside(ctx))
    },
    tryAgain: async (ctx, deliveryIds) => {
      if (deliveryIds.length === 0) return
      await boss.retry(QUEUE, deliveryIds, inside(ctx))
      // Run by pg-boss itself, one job at a time.
      await execute(
        ctx,
        sql`
        update pgboss.job set start_after = now(), retry_limit = greatest(retry_limit, retry_count + ${TRIES_OF_REPLAY}::int)
        where name = ${QUEUE} and id = any(${deliveryIds}::uuid[]) and state = 'retry'`,
      )
    },
    remove: async (ctx, deliveryIds) => {
      if (deliveryIds.length > 0) await boss.deleteJob(QUEUE, deliveryIds, inside(ctx))
    },
    putBack: async (ctx, jobs) => {
      await boss.fail(QUEUE, jobs.map(claimOf), null, inside(ctx))
      return readNextTries(
        ctx,
        jobs.filter(({ isLast }) => !isLast).map(({ id }) => id),
      )
    },
    take: async ({ limit, notOf }) => {
      const jobs = await boss.fetch(QUEUE, {
        batchSize: limit,
        groupConcurrency: TAKEN_AT_MOST,
        ignoreGroups: notOf,
        includeMetadata: true,
      })
      return jobs.map(({ id, groupId, retryCount, retryLimit }) => ({
        id,
        endpointId: groupId ?? '',
        retryCount,
        isLast: retryCount >= retryLimit,
      }))
    },
    hasUnfinished: async () => {
      // Uses job_i11 and job_i7. What is blocked waits for one of these.
      const found = await queryOne<{ isThere: boolean }>(
        ctx,
        sql`
        select exists (select from pgboss.job where name = ${QUEUE} and state < 'active' and not blocked)
          or exists (select from pgboss.job where name = ${QUEUE} and state = 'active' and group_id is not null) as is_there`,
      )
      return found?.isThere === true
    },
    supervise: () => boss.supervise(QUEUE),
    release: async (jobs) => {
      if (jobs.length > 0) await boss.fail(QUEUE, jobs.map(claimOf))
    },
    hold: async (jobs) => {
      if (jobs.length > 0) await boss.touch(QUEUE, jobs.map(claimOf))
    },
    close: () => boss.stop({ graceful: false }),
  }
}

/** Names the job as this process took it, so that nothing is done to one which another process has taken over. */
function claimOf({ id, retryCount }: DeliveryJob) {
  return { id, retryCount }
}

async function readNextTries(ctx: Ctx, ids: string[]): Promise<Map<string, Date>> {
  // Read by pg-boss itself, one job at a time.
  const jobs = await query<{ id: string; startAfter: Date }>(
    ctx,
    sql`select id, start_after from pgboss.job where name = ${QUEUE} and id = any(${ids}::uuid[])`,
  )
  return new Map(jobs.map(({ id, startAfter }) => [id, startAfter]))
}

/** Lets pg-boss work in the context's transaction. */
function inside(ctx: Ctx): { db: Db } {
  return {
    db: { executeSql: async (text, values = []) => ({ rows: await query(ctx, { strings: [text], text, values }) }) },
  }
}

async function hasSchema(ctx: Ctx): Promise<boolean> {
  const found = await queryOne<{ exists: boolean }>(ctx, sql`select to_regnamespace('pgboss') is not null as exists`)
  return found?.exists === true
}

/** Ids may be longer than an index allows. */
function jobOf({ deliveryId, endpointId, subjectType, subjectId }: QueuedDelivery) {
  const subject = createHash('sha256').update(`${subjectType}\n${subjectId}`).digest('base64url')
  return { id: deliveryId, singletonKey: `${endpointId} ${subject}`, group: { id: endpointId } }
}
