import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'
import { createLogger } from '#server/core/log.ts'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { openStream } from '#server/testing/live-stream.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { sessionCookie } from '#server/testing/session-cookie.ts'
import { createStaffAccount } from '#server/testing/staff-account.ts'

const { database, url: DATABASE_URL, prisma, make } = await testDatabase()
const { accessToken } = await createToken(systemCtx(database), { lifetimeMs: 3_600_000 })
const oneLine = (program: Program) => program.output().trimEnd()

/** Enough for a process to end in the middle of deciding them. */
const COMMENTS = IS_STRESS ? 200 : 100

/** Decisions about these comments wait until `release`. */
async function lockComments(commentIds: string[]) {
  const holder = new pg.Client(DATABASE_URL)
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from comment where comment_id = any($1) for update', [commentIds])
  return {
    /** Ends the blocked sessions. */
    endWaiting: () =>
      holder.query(
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    release: () => holder.end(),
  }
}

function approveAll(program: Program, commentIds: string[]) {
  const queue = [...commentIds]
  const client = async () => {
    for (let commentId = queue.pop(); commentId !== undefined; commentId = queue.pop()) {
      const answer = await fetch(`${program.url}/api/v3/comments/${commentId}/approve`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}` },
      }).catch(() => undefined)
      if (answer === undefined) return
    }
  }
  return Promise.all(Array.from({ length: 8 }, client))
}

/** A comment has one decision, one audit row and one event, or it is pending with none of them. */
async function halfDone(communityId: string): Promise<unknown[]> {
  return prisma.$queryRaw`
    select c.comment_id, c.approval_status,
      (select count(*)::int from decision d where d.subject_id = c.comment_id) as decisions,
      (select count(*)::int from audit a where a.subject_id = c.comment_id) as audits,
      (select count(*)::int from event e where e.subject_id = c.comment_id) as events
    from comment c where c.community_id = ${communityId} and (
      select count(*) from decision d where d.subject_id = c.comment_id) + (select count(*) from audit a where a.subject_id = c.comment_id)
      + (select count(*) from event e where e.subject_id = c.comment_id) <> case when c.approval_status = 'pending' then 0 else 3 end`
}

test.runIf(IS_STRESS)(
  'killed with -9 during decisions, it leaves nothing partial; the next start seals and counts everything',
  async () => {
    const { communityId } = await make.community()
    const { userId } = await make.user()
    const ids: string[] = []
    for (let index = 0; index < COMMENTS; index += 1)
      ids.push((await make.heldComment({ communityId, userId })).commentId)

    const first = await runProgram({ DATABASE_URL })
    await untilReady(first)
    // Decided last, so that some are being decided when it ends.
    const lock = await lockComments(ids.slice(0, 8))
    const deciding = approveAll(first, ids)
    const decided = () => prisma.decision.count({ where: { communityId } })
    await eventually('some comments are decided', decided).toBeGreaterThan(COMMENTS / 5)
    first.process.kill('SIGKILL')
    await Promise.all([deciding, first.ended])
    expect(await halfDone(communityId)).toEqual([])
    await lock.endWaiting()
    await lock.release()

    const second = await runProgram({ DATABASE_URL })
    await untilReady(second)
    await eventually('all events are numbered', () => prisma.event.count({ where: { seq: null } })).toBe(0)
    const held = await prisma.comment.count({ where: { communityId, approvalStatus: 'pending' } })
    expect(held).toBeGreaterThan(0)
    expect(await countQueue(ctxOf(database, asAdmin()))).toMatchObject({ total: held })
    await approveAll(second, ids)
    expect(await halfDone(communityId)).toEqual([])
    expect(await countQueue(ctxOf(database, asAdmin()))).toMatchObject({ total: 0 })
    second.process.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  },
)

test('on shutdown, it finishes running requests and loses nothing', async () => {
  const { communityId } = await make.community()
  const ids: string[] = []
  for (let index = 0; index < COMMENTS; index += 1) ids.push((await make.heldComment({ communityId })).commentId)
  const program = await runProgram({ DATABASE_URL })
  await untilReady(program)

  const answered: string[] = []
  const asking = ids.map(async (commentId) => {
    const answer = await fetch(`${program.url}/api/v3/comments/${commentId}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
    }).catch(() => undefined)
    if (answer?.ok) answered.push(commentId)
  })
  await eventually('some requests are answered', () => answered.length).toBeGreaterThan(5)
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  await Promise.all(asking)

  const approved = await prisma.comment.findMany({ where: { communityId, approvalStatus: 'approved' } })
  expect(approved.map((comment) => comment.commentId)).toEqual(expect.arrayContaining(answered))
  expect(await halfDone(communityId)).toEqual([])
})

test.runIf(IS_STRESS)(
  'with DRAIN_SECONDS it is not ready from SIGTERM on, and keeps serving requests, each connection once',
  async () => {
    const { communityId } = await make.community()
    const program = await runProgram({ DATABASE_URL, DRAIN_SECONDS: '900' })
    await untilReady(program)
    program.process.kill('SIGTERM')
    await eventually('it is not ready', async () => (await fetch(`${program.url}/readyz`)).status).toBe(503)
    const answer = await fetch(`${program.url}/api/v3/communities/${communityId}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('connection')).toBe('close')
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200)

    program.process.kill('SIGTERM')
    expect(await program.ended).toBe(1)
  },
)

test.runIf(IS_STRESS)('on shutdown, a request in flight is answered after the port is closed', async () => {
  const { commentId } = await make.heldComment()
  const program = await runProgram({ DATABASE_URL })
  await untilReady(program)
  const lock = await lockComments([commentId])
  const approving = fetch(`${program.url}/api/v3/comments/${commentId}/approve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
  })
  await waitForLockWaiter(database)

  program.process.kill('SIGTERM')
  const isOpen = () => fetch(`${program.url}/healthz`, { headers: { connection: 'close' } }).then(Boolean, () => false)
  await eventually('the port is closed', isOpen).toBe(false)
  await lock.release()
  expect((await approving).status).toBe(200)
  expect(await program.ended).toBe(0)
})

const STREAMS = IS_STRESS ? 200 : 50

test.runIf(IS_STRESS)(
  `on shutdown with ${STREAMS} streams open, it ends them before the requests in flight, and another process resumes them where they broke off`,
  async () => {
    const [program, other] = await Promise.all([runProgram({ DATABASE_URL }), runProgram({ DATABASE_URL })])
    await Promise.all([program, other].map(untilReady))
    const { communityId } = await make.community()
    const { staffId } = await createStaffAccount(database, { roleId: 'community-moderator', communityId })
    const sessions = await Promise.all(Array.from({ length: STREAMS / 10 }, () => sessionCookie(database, staffId)))
    const cookies = sessions.map(({ name, value }) => `${name}=${value}`)
    const streams = await Promise.all(
      cookies.flatMap((cookie) => Array.from({ length: 10 }, () => openStream(program.url, cookie))),
    )
    await eventually('all streams are open', () => streams.every(({ messages }) => messages.length > 0)).toBe(true)

    const { commentId } = await make.heldComment()
    const lock = await lockComments([commentId])
    const approving = fetch(`${program.url}/api/v3/comments/${commentId}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
    })
    await waitForLockWaiter(database)
    program.process.kill('SIGTERM')
    expect(new Set(await Promise.all(streams.map(({ ended }) => ended)))).toEqual(new Set(['broken']))
    await lock.release()
    expect((await approving).status).toBe(200)
    expect(await program.ended).toBe(0)

    const event = { subjectType: 'comment', subjectId: 'held meanwhile', communityId, payload: {}, isDeskOnly: true }
    await recordEvent(systemCtx(database), { ...event, name: 'desk.comment.didHold' })
    const again = await openStream(other.url, cookies[0] ?? '', { since: streams[0]?.messages[0]?.seq ?? 0 })
    await eventually('the stream has the event', () => again.messages).toContainEqual(
      expect.objectContaining({ subjectId: 'held meanwhile' }),
    )
    again.close()
  },
)

test.runIf(IS_STRESS)('a taken port ends the start with one line', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const PORT = typeof address === 'object' && address !== null ? String(address.port) : ''
  const program = await runProgram({ DATABASE_URL, PORT })
  expect(await program.ended).toBe(1)
  expect(oneLine(program)).toBe(`docket: Port ${PORT} on 127.0.0.1 is taken: stop what uses it, or set PORT to another`)
  taken.close()
})

/** A server with twenty connections, all but `left` of them in use. */
async function crowdedServer(left: number) {
  const home = await mkdtemp(join(tmpdir(), 'docket-crowded-'))
  await chmod(home, 0o755)
  const settings = { fsync: 'off', shared_buffers: '32MB', max_connections: '20', superuser_reserved_connections: '0' }
  const server = await startEmbeddedPostgres({ home, settings, say: () => {}, log: createLogger('silent') })
  const free: pg.Client[] = []
  const takeAll = async () => {
    const client = new pg.Client(server.ownerUrl)
    client.on('error', () => {})
    const isIn = await client.connect().then(
      () => true,
      () => false,
    )
    if (!isIn) return
    free.push(client)
    await takeAll()
  }
  await takeAll()
  const release = async (count: number) => {
    await Promise.all(free.splice(0, count).map((client) => client.end()))
  }
  onTestFinished(async () => {
    await release(free.length)
    await server.stop()
    await rm(home, { recursive: true })
  })
  await release(left)
  const rejections = async () => {
    const log = await readFile(join(home, 'postgres', 'postgres.log'), 'utf8')
    return log.match(/too many clients already|remaining connection slots/g)?.length ?? 0
  }
  return { url: server.ownerUrl, release: () => release(free.length), rejections, before: await rejections() }
}

test.runIf(IS_STRESS).each([0, 1, 2])(
  'with %i connections left it accepts no requests until it can work, and then does',
  async (left) => {
    const server = await crowdedServer(left)
    const program = await runProgram({ DATABASE_URL: server.url })
    await eventually('it is rejected again and again', server.rejections).toBeGreaterThan(server.before + 1)
    expect(program.output()).not.toContain('Docket is ready')
    await expect(fetch(`${program.url}/healthz`)).rejects.toThrow()

    await server.release()
    await untilReady(program)
    expect(program.output()).toContain('Docket is ready on')
    program.process.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  },
)

test.runIf(IS_STRESS)(
  'with no connection left for too long, the start ends with one line and never reports ready',
  async () => {
    const server = await crowdedServer(1)
    const program = await runProgram({ DATABASE_URL: server.url })
    expect(await program.ended).toBe(1)
    const last = oneLine(program).split('\n').at(-1)
    expect(last).toMatch(/^docket: The database did not answer within 15 s: .*too many clients/)
    expect(program.output()).not.toContain('Docket is ready')
  },
)

test('mistakes in the settings end the start with exit code 1 and a line for each', async () => {
  const program = await runProgram({ DATABASE_URL, PORT: 'high', LOG_LEVEL: 'loud' })
  expect(await program.ended).toBe(1)
  expect(oneLine(program)).toMatch(/^docket: Invalid settings:\n {2}PORT: .*\n {2}LOG_LEVEL: .*$/)
})
