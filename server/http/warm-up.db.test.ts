import { expect, test } from 'vitest'
import { warmUp } from '#server/http/warm-up.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'

const { database } = await testDatabase()
const { pool } = database
const make = factoriesOf(database)
const CONNECTIONS = 3
const UNLIMITED = { connections: CONNECTIONS, limitMs: 60_000 }

/** The statements that each open connection has prepared. */
async function preparedOnEach(): Promise<Set<string>[]> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()))
  try {
    const found = await Promise.all(
      clients.map((client) => client.query<{ statement: string }>('select statement from pg_prepared_statements')),
    )
    return found.map(({ rows }) => new Set(rows.map(({ statement }) => statement)))
  } finally {
    for (const client of clients) client.release()
  }
}

test('before the first requests, every kept connection has prepared what they read', async () => {
  const { call, tokenOf } = await testApi(database)
  const { communityId, commentId } = await make.heldComment()
  const reviewer = await make.reviewerOf(communityId)
  const tokens = [await tokenOf(), await tokenOf(reviewer.userId)]
  const before = await pool.query('select (select count(*) from audit) as audits, (select count(*) from event) as events')
  await warmUp(systemCtx(database), UNLIMITED)
  const prepared = await preparedOnEach()

  const sent = recordStatements(pool)
  for (const token of tokens) {
    for (const _time of ['first', 'second']) {
      const queue = await call('GET', `/api/v3/communities/${communityId}/comments/review-queue`, { token })
      expect(queue.body.comments).toHaveLength(1)
    }
  }
  const reads = sent.all.filter((statement) => !statement.includes('set last_used_at'))
  expect(reads.length).toBeGreaterThanOrEqual(4)
  for (const known of prepared) expect(reads.filter((statement) => !known.has(statement))).toEqual([])
  expect(commentId).toBeDefined()
  expect((await pool.query('select (select count(*) from audit) as audits, (select count(*) from event) as events')).rows).toEqual(before.rows)
})
