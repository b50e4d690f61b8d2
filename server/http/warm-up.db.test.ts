import { afterAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { createLogger } from '#server/core/log.ts'
import { warmUp } from '#server/http/warm-up.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { freePort } from '#server/testing/free-port.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'

const { url } = await testDatabase()
// Not through a pooler, where connections that come and go have no statements of their own.
const database = openDatabase({ url, connections: 6, onError: () => {} })
afterAll(database.close)
const { pool, prisma } = database
const make = factoriesOf(database)
const CONNECTIONS = 3
const UNLIMITED = { connections: CONNECTIONS, limitMs: 60_000 }

/** The statements that each open connection has prepared. */
async function preparedOnEach(where = 'true'): Promise<Set<string>[]> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()))
  try {
    const found = await Promise.all(
      clients.map((client) =>
        client.query<{ statement: string }>(`select statement from pg_prepared_statements where ${where}`),
      ),
    )
    return found.map(({ rows }) => new Set(rows.map(({ statement }) => statement)))
  } finally {
    for (const client of clients) client.release()
  }
}

/** A context that remembers what was logged. */
function logging(from: Database) {
  const warnings: unknown[] = []
  const system = systemCtx(from)
  return {
    warnings,
    ctx: { ...system, log: Object.assign(createLogger('silent'), { warn: (what: unknown) => warnings.push(what) }) },
  }
}

test('an empty database is read without an error, and stays empty', async () => {
  const { ctx, warnings } = logging(database)
  await warmUp(ctx, UNLIMITED)
  expect(warnings).toEqual([])
  expect(await database.prisma.audit.count()).toBe(0)
  expect(await database.prisma.event.count()).toBe(0)
})

test('without a database it ends with a warning, and within its limit', async () => {
  const port = await freePort()
  const away = openDatabase({ url: `postgres://nobody@127.0.0.1:${port}/none`, connections: 2, onError: () => {} })
  const { ctx, warnings } = logging(away)
  await warmUp(ctx, { ...UNLIMITED, limitMs: 5_000 })
  expect(warnings).toHaveLength(1)
  await away.close()
})

test('a time limit of zero delays nothing', async () => {
  const { ctx } = logging(database)
  const sent = recordStatements(pool)
  await warmUp(ctx, { ...UNLIMITED, limitMs: 0 })
  expect(sent.all.filter((statement) => statement.includes('from comment'))).toEqual([])
})

test('before the first requests, every kept connection has prepared what they read', async () => {
  const { call, tokenOf } = await testApi(database)
  const { communityId } = await make.heldComment()
  const reviewer = await make.reviewerOf(communityId)
  const tokens = [await tokenOf(), await tokenOf(reviewer.userId)]
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
})

describe('where a queue is long', () => {
  test('every kept connection has plans that are kept, also of what a decision sends; the comment stays as it is', async () => {
    const { commentId, communityId } = await make.heldComment()
    await prisma.tally.create({ data: { kind: 'held_comments', subjectId: communityId, total: 1_000 } })
    const reviewer = await make.reviewerOf(communityId)
    const { call, tokenOf } = await testApi(database)
    const token = await tokenOf(reviewer.userId)
    const before = await prisma.comment.findUnique({ where: { commentId } })
    await warmUp(systemCtx(database), UNLIMITED)
    expect(await prisma.comment.findUnique({ where: { commentId } })).toEqual(before)
    expect(await prisma.audit.count({ where: { subjectId: commentId } })).toBe(0)

    const planned = await preparedOnEach('generic_plans > 0')
    const path = `/api/v3/comments/${commentId}/approve`
    // The first call of a token looks its caller up.
    await call('GET', `/api/v3/communities/${communityId}/comments/review-queue`, { token })
    const sent = recordStatements(pool)
    expect(await call('POST', path, { token })).toMatchObject({ status: 200 })
    expect(sent.all).toHaveLength(2)
    for (const known of planned) expect(sent.all.filter((statement) => !known.has(statement))).toEqual([])
  })

  test('all of it may have been decided by the time it is read', async () => {
    const { communityId } = await make.community()
    await prisma.tally.create({ data: { kind: 'held_comments', subjectId: communityId, total: 2_000 } })
    const { ctx, warnings } = logging(database)
    await warmUp(ctx, UNLIMITED)
    expect(warnings).toEqual([])
  })
})
