import type { PoolClient } from 'pg'
import pg from 'pg'
import { SESSION_OPTIONS } from '#server/core/db.ts'
import { findActor } from '#server/modules/accounts/access/find-actor.ts'
import { decide } from '#server/modules/review/queue/decide.ts'
import { ctxOf, withDatabase } from './bench-people.ts'
import { measure, median } from './load.ts'
import { LARGEST_COMMUNITY } from './network.ts'
import { approveByPgbench, hasPgbench, type RecordedApproval } from './pgbench.ts'
import type { Program } from './programs.ts'
import { recordStatements } from './record-statements.ts'

const CLIENTS = 8
const ROUNDS = 3
const DECISIONS_PER_ROUND = 1_000

/** Decisions per second in one community, with several concurrent clients. */
export interface DecisionRates {
  /** Through the program. */
  real: number
  /** The same transaction with `pg` alone, and with pgbench if that is installed. */
  bare: number
  pgbench?: number | undefined
  statements: number
}

/**
 * Stops the program between the two: its sequencer would otherwise run beside the bare clients. Afterwards all comments are pending as
 * before.
 */
export async function measureDecisions(databaseUrl: string, docket: Program, token: string): Promise<DecisionRates> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CLIENTS, options: SESSION_OPTIONS })
  const [recorded = '', ...ids] = await someHeld(pool, 1 + 3 * ROUNDS * DECISIONS_PER_ROUND)
  const nextRound = () => ids.splice(0, DECISIONS_PER_ROUND)
  try {
    const real = await medianOfRounds(() => approveOverRest(docket, token, nextRound()))
    await docket.stop()

    const transaction = await recordApproval(pool, { databaseUrl, token, commentId: recorded })
    return {
      real,
      bare: await medianOfRounds(() => approveBare(pool, transaction, nextRound())),
      pgbench: (await hasPgbench())
        ? await medianOfRounds(() => approveByPgbench({ databaseUrl, clients: CLIENTS, transaction, ids: nextRound() }))
        : undefined,
      statements: transaction.statements.length,
    }
  } finally {
    await putBack(pool)
    await pool.end()
  }
}

async function medianOfRounds(measureOne: () => Promise<number>): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureOne())
  return median(rounds)
}

/** From the middle of the queue, so that the dead index entries they leave behind don't affect the other measurements. */
async function someHeld(pool: pg.Pool, count: number): Promise<string[]> {
  const found = await pool.query<{ id: string }>(
    `with held as (select count(*) as count from comment where community_id = $1 and approval_status = 'pending' and not is_deleted)
     select comment_id as id from comment
     where community_id = $1 and approval_status = 'pending' and not is_deleted
     order by queued_at desc, comment_id offset (select greatest(count - $2, 0) / 2 from held) limit $2`,
    [LARGEST_COMMUNITY, count],
  )
  if (found.rows.length < count) throw new Error(`Too few wait to decide ${count} of them`)
  return found.rows.map((row) => row.id)
}

async function approveOverRest({ origin }: Program, token: string, ids: string[]): Promise<number> {
  const { perSecond } = await measure(
    {
      origin,
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      nextPath: () => `/api/v3/comments/${ids.shift()}/approve`,
    },
    { connections: CLIENTS, requests: ids.length },
  )
  return perSecond
}

async function recordApproval(
  pool: pg.Pool,
  { databaseUrl, token, commentId }: { databaseUrl: string; token: string; commentId: string },
): Promise<RecordedApproval> {
  const { actor } = await findActor(pool, { kind: 'token', secret: token })
  const { waves } = await withDatabase(databaseUrl, (database) =>
    recordStatements(database, () =>
      decide(ctxOf(database, actor), { subjectType: 'comment', subjectId: commentId, outcome: 'approved' }),
    ),
  )
  const decision = await pool.query<{ eventId: string }>(
    `select event_id::text as "eventId" from decision where subject_id = $1 order by decision_id desc limit 1`,
    [commentId],
  )
  return { statements: waves.flat(), commentId, eventId: decision.rows[0]?.eventId ?? '' }
}

async function approveBare(pool: pg.Pool, transaction: RecordedApproval, ids: string[]): Promise<number> {
  const count = ids.length
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = await pool.connect()
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) await replay(client, transaction, id)
      client.release()
    }),
  )
  return (count / (performance.now() - startedAt)) * 1_000
}

/** Replays the recorded statements for another comment; the decision refers to the event that its own transaction created. */
async function replay(client: PoolClient, transaction: RecordedApproval, commentId: string): Promise<void> {
  let eventId: unknown
  const valueFor = (value: unknown) => {
    if (value === transaction.eventId) return eventId
    return typeof value === 'string' ? value.replaceAll(transaction.commentId, commentId) : value
  }
  for (const { values, ...statement } of transaction.statements) {
    const { rows } = await client.query({ ...statement, values: values.map(valueFor) })
    eventId = rows[0]?.eventId ?? eventId
  }
}

/** Makes all comments pending again. The audit log keeps its entries. */
async function putBack(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with back as (
       update comment set approval_status = 'pending', version = 1, updated_at = created_at
       where community_id = $1 and approval_status = 'approved'
         and comment_id in (select subject_id from decision where undone_at is null)
       returning reference_id)
     insert into tally_delta (kind, subject_id, delta)
     select 'held_comments'::tally_kind, $1, count(*) from back having count(*) > 0
     union all
     select 'post_comments', reference_id, -count(*) from back group by reference_id`,
    [LARGEST_COMMUNITY],
  )
  await pool.query('vacuum comment')
}
