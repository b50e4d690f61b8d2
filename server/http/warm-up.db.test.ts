import type pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { SHARED } from '#server/core/database/shared-connections.ts'
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
const database = openDatabase({ url, connections: 8, keepsReadsApart: true, onError: () => {} })
afterAll(database.close)
const { pool, prisma } = database
const make = factoriesOf(database)
const CONNECTIONS = 3
const UNLIMITED = { connections: CONNECTIONS, limitMs: 60_000 }

/** The statements that each of `count` connections, open already, has prepared. */
async function preparedOnEach(from: pg.Pool | undefined, count: number, where = 'true'): Promise<Set<string>[]> {
  if (from === undefined) throw new Error('no such connections')
  const clients = await Promise.all(Array.from({ length: count }, () => from.connect()))
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

test('before the first requests, the connections that their statements are sent on have prepared them', async () => {
  const { call, tokenOf } = await testApi(database)
  const { communityId } = await make.heldComment()
  const reviewer = await make.reviewerOf(communityId)
  const tokens = [await tokenOf(), await tokenOf(reviewer.userId)]
  await warmUp(systemCtx(database), UNLIMITED)
  const reading = await preparedOnEach(pool.reads, SHARED)
  const others = await preparedOnEach(pool, CONNECTIONS)

  const sent = recordStatements(pool)
  for (const token of tokens) {
    for (const _time of ['first', 'second']) {
      const queue = await call('GET', `/api/v3/communities/${communityId}/comments/review-queue`, { token })
      expect(queue.body.comments).toHaveLength(1)
    }
  }
  const reads = sent.all.filter((statement) => !statement.includes('set last_used_at'))
  expect(reads.length).toBeGreaterThanOrEqual(4)
  const isPrepared = (statement: string) =>
    [reading, others].some((each) => each.every((known) => known.has(statement)))
  expect(reads.filter((statement) => !isPrepared(statement))).toEqual([])
})

describe('where a queue is long', () => {
  test('every connection has plans of what a decision sends there, which are kept; the comment stays as it is', async () => {
    const { commentId, communityId } = await make.heldComment()
    await prisma.tally.create({ data: { kind: 'held_comments', subjectId: communityId, total: 1_000 } })
    const reviewer = await make.reviewerOf(communityId)
    const { call, tokenOf } = await testApi(database)
    const token = await tokenOf(reviewer.userId)
    const before = await prisma.comment.findUnique({ where: { commentId } })
    await warmUp(systemCtx(database), UNLIMITED)
    expect(await prisma.comment.findUnique({ where: { commentId } })).toEqual(before)
    expect(await prisma.audit.count({ where: { subjectId: commentId } })).toBe(0)

    const reading = await preparedOnEach(pool.reads, SHARED, 'generic_plans > 0')
    const writing = await preparedOnEach(pool, CONNECTIONS, 'generic_plans > 0')
    const path = `/api/v3/comments/${commentId}/approve`
    // The first call of a token looks its caller up.
    await call('GET', `/api/v3/communities/${communityId}/comments/review-queue`, { token })
    const sent = recordStatements(pool)
    expect(await call('POST', path, { token })).toMatchObject({ status: 200 })
    const [read, written] = sent.all
    expect(sent.all).toHaveLength(2)
    expect(reading.map((known) => known.has(read ?? ''))).toEqual(reading.map(() => true))
    expect(writing.map((known) => known.has(written ?? ''))).toEqual(writing.map(() => true))
  })

  test('all of it may have been decided by the time it is read', async () => {
    const { communityId } = await make.community()
    await prisma.tally.create({ data: { kind: 'held_comments', subjectId: communityId, total: 2_000 } })
    const { ctx, warnings } = logging(database)
    await warmUp(ctx, UNLIMITED)
    expect(warnings).toEqual([])
  })
})
