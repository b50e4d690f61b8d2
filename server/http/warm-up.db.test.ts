import type pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { SHARED } from '#server/core/database/shared-connections.ts'
import { createLogger } from '#server/core/log.ts'
import { warmUp } from '#server/http/warm-up.ts'
import { foldDeltas } from '#server/modules/ledger/counts/fold-deltas.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'
import { whenOver } from '#server/testing/when-over.ts'
import { withItems } from '#server/testing/with-items.ts'

const CONNECTIONS = 3
const ALL = { connections: CONNECTIONS, limitMs: WAIT_LIMIT_MS }

/** A database of its own, and just the connections that are warmed: not through a pooler, where none has statements of its own. */
async function coldDatabase() {
  const { url } = await testDatabase()
  const database = openDatabase({ url, connections: CONNECTIONS + SHARED, keepsReadsApart: true, onError: () => {} })
  whenOver(database.close)
  const { prisma } = withItems(database)
  return { ...database, prisma, database, make: factoriesOf(withItems(database)) }
}

/** The statements that each connection has prepared, whichever of them a caller gets. */
async function preparedOnEach(from: pg.Pool | undefined, count: number): Promise<(statement: string) => boolean> {
  if (from === undefined) throw new Error('no such connections')
  const clients = await Promise.all(Array.from({ length: count }, () => from.connect()))
  try {
    const found = await Promise.all(
      clients.map((client) => client.query<{ statement: string }>(`select statement from pg_prepared_statements`)),
    )
    const known = found.map(({ rows }) => new Set(rows.map(({ statement }) => statement)))
    return (statement) => known.every((statements) => statements.has(statement))
  } finally {
    for (const client of clients) client.release()
  }
}

/** Fails for a statement that is prepared neither on all connections for reads nor on all others. */
async function expectPrepared({ pool }: Database, act: () => Promise<void>): Promise<void> {
  const [onReads, onOthers] = [await preparedOnEach(pool.reads, SHARED), await preparedOnEach(pool, CONNECTIONS)]
  const sent = recordStatements(pool)
  await act()
  const ofRequests = sent.all.filter((statement) => !statement.includes('set last_used_at'))
  expect(ofRequests).not.toEqual([])
  expect(ofRequests.filter((statement) => !onReads(statement) && !onOthers(statement))).toEqual([])
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

describe('an empty database', async () => {
  const { database, prisma, pool } = await coldDatabase()

  test('is read without an error, and stays empty', async () => {
    const { ctx, warnings } = logging(database)
    await warmUp(ctx, ALL)
    expect(warnings).toEqual([])
    expect(await prisma.audit.count()).toBe(0)
    expect(await prisma.event.count()).toBe(0)
  })

  test('is not read once the time limit has passed', async () => {
    const { ctx } = logging(database)
    const sent = recordStatements(pool)
    await warmUp(ctx, { ...ALL, limitMs: 0 })
    const isOver = () => sent.all.filter((statement) => statement === 'COMMIT').length === CONNECTIONS + SHARED
    await eventually('the transactions on all connections are over', isOver).toBe(true)
    expect(sent.all.filter((statement) => statement.includes('from comment'))).toEqual([])
  })
})

test('ends with a warning without a database', async () => {
  // A port for which no program asks.
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', connections: 2, onError: () => {} })
  const { ctx, warnings } = logging(away)
  await warmUp(ctx, ALL)
  expect(warnings).toHaveLength(1)
  await away.close()
})

describe('before the first requests', async () => {
  const { database, make } = await coldDatabase()
  const { call, tokenOf } = await testApi(database)

  test('each connection on which their statements may be sent has prepared them', async () => {
    const { communityId } = await make.heldComment()
    const reviewer = await make.reviewerOf(communityId)
    const tokens = [await tokenOf(), await tokenOf(reviewer.userId)]
    await warmUp(systemCtx(database), ALL)

    await expectPrepared(database, async () => {
      for (const token of [...tokens, ...tokens]) {
        const queue = await call('GET', `/api/v3/communities/${communityId}/comments/review-queue`, { token })
        expect(queue.body.comments).toHaveLength(1)
      }
    })
  })
})

describe('where a queue is long', async () => {
  const { database, prisma, make } = await coldDatabase()
  const { call, tokenOf } = await testApi(database)
  /** A queue that was so long until it was decided. */
  const wasLong = async (communityId: string, total: number) => {
    const counted = { kind: 'held_comments' as const, subjectId: communityId }
    await prisma.tally.create({ data: { ...counted, total } })
    await prisma.tallyDelta.create({ data: { ...counted, delta: -total } })
  }
  afterEach(async () => void (await foldDeltas(systemCtx(database))))

  test('each connection has prepared what a decision sends on it, and the comment stays as it is', async () => {
    const { commentId, communityId } = await make.heldComment()
    await wasLong(communityId, 1_000)
    const reviewer = await make.reviewerOf(communityId)
    const token = await tokenOf(reviewer.userId)
    const before = await prisma.comment.findUnique({ where: { commentId } })
    await warmUp(systemCtx(database), ALL)
    expect(await prisma.comment.findUnique({ where: { commentId } })).toEqual(before)
    expect(await prisma.audit.count({ where: { subjectId: commentId } })).toBe(0)

    // The first call of a token looks its caller up.
    await call('GET', `/api/v3/communities/${communityId}/comments/review-queue`, { token })
    await expectPrepared(database, async () => {
      expect(await call('POST', `/api/v3/comments/${commentId}/approve`, { token })).toMatchObject({ status: 200 })
    })
  })

  test('all of it may have been decided by the time it is read', async () => {
    const { communityId } = await make.community()
    await wasLong(communityId, 2_000)
    const { ctx, warnings } = logging(database)
    await warmUp(ctx, ALL)
    expect(warnings).toEqual([])
  })
})
