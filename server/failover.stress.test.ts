import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { loadFiles } from '#server/modules/integrations/imports/load-files.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import type { LiveMessage } from '#server/modules/live/schema.ts'
import { asAdmin, ctxOf, systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { eventually } from '#server/testing/eventually.ts'
import { createHeldComments, deliveredComment } from '#server/testing/held-comments.ts'
import { type LiveStream, openStream } from '#server/testing/live-stream.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { openReceiver } from '#server/testing/receiver.ts'
import { startReplicatedPostgres } from '#server/testing/replicated-postgres.ts'
import { scaled } from '#server/testing/scaled.ts'
import { sessionCookie } from '#server/testing/session-cookie.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { expectWhole } from '#server/testing/whole-log.ts'

/** Two in `npm run test:stress`; twenty with `STRESS_SCALE=100 vitest run --project stress server/failover.stress.test.ts`. */
const FAILOVERS = scaled(0.2)
const DECISIONS_EACH = 120
/** The primary is killed when this many were acknowledged and the next ones are committed there, but not at the standby. */
const KILLED_AFTER = 40
const CLIENTS = 8
const MESSAGES_A_FILE = 50
const RETRY_MS = 50

test(`the primary is killed with -9, ${FAILOVERS} times: no acknowledged write is lost, and all goes on with the promoted standby`, async () => {
  const servers = await startReplicatedPostgres()
  onTestFinished(servers.stop)
  const home = await mkdtemp(join(tmpdir(), 'docket-failover-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const environment = {
    DATABASE_URL: servers.url,
    DOCKET_HOME: home,
    DOCKET_SECRET: TEST_SECRET,
    WEBHOOK_ALLOW_LOOPBACK: '1',
    LOG_LEVEL: 'silent',
  }
  const programs = await Promise.all([start(environment), start(environment)])
  const database = openDatabase({ url: servers.url, connections: 4, onError: () => {} })
  onTestFinished(() => database.close())
  const { prisma } = database

  const receiver = await openReceiver()
  onTestFinished(() => void receiver.close())
  const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
  receiver.trust((await addEndpoint(admin, { url: receiver.url, events: [] }, testWebhooks)).secret)
  const { communityId, commentIds } = await createHeldComments(database, FAILOVERS * DECISIONS_EACH)
  const desk = await followAt(programs[0], await moderatorCookie(database, communityId))
  const { accessToken } = await createToken(systemCtx(database), { lifetimeMs: 24 * 3_600_000 })

  const decided = new Map<string, Outcome>()
  const imported: string[] = []
  const pauses: number[] = []
  for (let failover = 0; failover < FAILOVERS; failover += 1) {
    const before = decided.size
    const share = commentIds.slice(before, before + DECISIONS_EACH)
    const over = new AbortController()
    const importing = importUntil(over.signal, { database, home, imported })
    const deciding = decideAll(share, { programs, accessToken, decided })
    // Both are awaited below: an error before that must not end the run.
    for (const work of [importing, deciding]) work.catch(() => over.abort())

    await eventually('enough decisions are made', () => decided.size).toBeGreaterThanOrEqual(before + KILLED_AFTER)
    await servers.holdBack()
    await servers.killPrimary()
    const whenKilled = { decided: decided.size, imported: imported.length }
    await servers.promote()
    const promotedAt = performance.now()
    await eventually('decisions go on', () => decided.size).toBeGreaterThan(whenKilled.decided)
    pauses.push((performance.now() - promotedAt) / 1_000)
    await eventually('imports go on', () => imported.length).toBeGreaterThan(whenKilled.imported)

    await deciding
    over.abort()
    await importing
    await servers.addStandby()
  }
  // The promise is 30 s, on a machine that has nothing else to do.
  console.log(`writes again after ${pauses.map((pause) => pause.toFixed(1)).join(', ')} s`)
  expect(programs.map(({ process }) => process.exitCode)).toEqual([null, null])

  const stored = await prisma.comment.findMany({ select: { commentId: true, approvalStatus: true } })
  expect(new Map(stored.map(({ commentId, approvalStatus }) => [commentId, approvalStatus]))).toEqual(
    new Map([...decided].map(([commentId, outcome]) => [commentId, STATES[outcome]])),
  )
  expect(decided.size).toBe(commentIds.length)
  const messages = await prisma.message.findMany({ select: { messageId: true } })
  expect(messages.map(({ messageId }) => messageId).sort()).toEqual(imported.sort())
  await expectWhole(database, environment)

  const receivedCount = () => new Set(receiver.accepted.map(({ id }) => id)).size
  await eventually('all events are delivered', receivedCount).toBe(commentIds.length)
  expect(new Set(receiver.accepted.map(deliveredComment))).toEqual(new Set(commentIds))
  expect(receiver.refused).toEqual([])

  const events = await prisma.event.findMany({
    where: { seq: { gt: desk.from() } },
    orderBy: { seq: 'asc' },
    select: { seq: true, subjectId: true },
  })
  const expected = events.map(({ seq, subjectId }) => [Number(seq), subjectId])
  expect(expected).toHaveLength(commentIds.length)
  await eventually('the desk has all events', () => eventsOf(desk.messages())).toEqual(expected)
  expect(desk.messages().map(({ kind }) => kind)).not.toContain('reset')
})

type Outcome = keyof typeof STATES
const STATES = { approve: 'approved', decline: 'rejected' } as const

async function start(environment: Record<string, string>): Promise<Program> {
  const program = await runProgram(environment)
  await untilReady(program)
  return program
}

interface Deciding {
  programs: Program[]
  accessToken: string
  /** What was acknowledged. */
  decided: Map<string, Outcome>
}

async function decideAll(commentIds: string[], { programs, accessToken, decided }: Deciding): Promise<void> {
  const left = [...commentIds.entries()]
  const client = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [index, commentId] = next
      const outcome = index % 2 ? 'approve' : 'decline'
      const program = programs[index % programs.length]
      await askUntilAnswered(program, `/api/v3/comments/${commentId}/${outcome}`, accessToken)
      decided.set(commentId, outcome)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

/** As apps do: repeats a request that got no answer or 503 with the same Idempotency-Key, and gets the first answer. */
async function askUntilAnswered(program: Program | undefined, path: string, accessToken: string): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}`, 'idempotency-key': randomUUID() }
  for (;;) {
    const answer = await fetch(`${program?.url}${path}`, { method: 'POST', headers }).catch(() => undefined)
    if (answer?.status === 200) return
    // A connection may close between two requests; the process must not exit.
    if (answer === undefined) expect(program?.process.exitCode, program?.output()).toBeNull()
    else if (answer.status === 409) expect(await answer.text()).toContain('still being processed')
    else expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    await sleep(RETRY_MS)
  }
}

interface Importing {
  database: Database
  home: string
  /** The messages of files that were imported to their end. */
  imported: string[]
}

/** Imports one file after another, each again and again until it succeeds. */
async function importUntil(over: AbortSignal, { database, home, imported }: Importing): Promise<void> {
  while (!over.aborted) {
    const { path, messageIds } = await fileOfMessages(home)
    while (!(await wasImported(database, path))) await sleep(RETRY_MS)
    imported.push(...messageIds)
  }
}

async function fileOfMessages(home: string): Promise<{ path: string; messageIds: string[] }> {
  const id = randomUUID()
  const messageIds = Array.from({ length: MESSAGES_A_FILE }, (_, index) => `${id}-${index}`)
  const [channelId, userId] = [`channel-${id}`, `user-${id}`]
  const lines = [
    { type: 'user', userId },
    { type: 'channel', channelId },
    { type: 'channelUser', channelId, userId, membership: 'member' },
    ...messageIds.map((messageId) => ({ type: 'message', messageId, channelId, userId, data: { text: messageId } })),
  ]
  const path = join(home, `${id}.ndjson`)
  await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return { path, messageIds }
}

async function wasImported(database: Database, path: string): Promise<boolean> {
  try {
    expect(await loadFiles(systemCtx(database), { files: [path], strict: false })).toMatchObject({ refused: 0 })
    return true
  } catch (error) {
    if (isDatabaseUnavailable(error)) return false
    throw error
  }
}

async function moderatorCookie(database: Database, communityId: string): Promise<string> {
  const person = { email: 'failover@docket.example', name: 'Failover', roleId: 'community-moderator', communityId }
  const { staffId } = await createStaff(systemCtx(database), person)
  const { name, value } = await sessionCookie(database, staffId)
  return `${name}=${value}`
}

/** A desk that reconnects where its stream broke off, as a browser does. */
async function followAt(program: Program | undefined, cookie: string) {
  const streams: LiveStream[] = []
  const closing = new AbortController()
  const messages = () => streams.flatMap((stream) => stream.messages)
  const follow = async () => {
    while (!closing.signal.aborted) {
      const since = messages().at(-1)?.seq
      const stream = await openStream(program?.url ?? '', cookie, since === undefined ? {} : { since })
      streams.push(stream)
      await stream.ended
      await sleep(RETRY_MS)
    }
  }
  const following = follow()
  onTestFinished(async () => {
    closing.abort()
    for (const stream of streams) stream.close()
    await following.catch(() => {})
  })
  await eventually('the desk follows', () => messages().length).toBeGreaterThan(0)
  return { messages, from: () => messages()[0]?.seq ?? 0 }
}

function eventsOf(messages: LiveMessage[]): [number, string][] {
  return messages.flatMap((message): [number, string][] =>
    message.kind === 'event' ? [[message.seq, message.subjectId]] : [],
  )
}
