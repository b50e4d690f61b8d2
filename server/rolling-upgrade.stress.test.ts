import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { type Balancer, openBalancer } from '#server/testing/balancer.ts'
import { TEST_SECRET } from '#server/testing/ctx.ts'
import { eventually } from '#server/testing/eventually.ts'
import { asAdmin, databaseUrl } from '#server/testing/global-setup.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { nextRelease, type Release } from '#server/testing/releases.ts'
import { expectWhole } from '#server/testing/whole-log.ts'

const HELD = 6_000
const CLIENTS = 4
/** A client's pause between two requests. */
const PAUSE_MS = 25
const REQUESTS_BETWEEN = 60

test('this version and one with more migrations share a database through a rolling restart, and back: nothing fails, nothing is lost', async () => {
  const next = await nextRelease({
    '29990101000000_note': 'alter table comment add column note text; alter table post add column note text;',
    '29990101000100_comment_note':
      'create index concurrently comment_note on comment (note, comment_id) where note is not null;',
  })
  onTestFinished(next.remove)

  await roll({ folder: process.cwd() }, next)
})

async function roll(from: Pick<Release, 'folder'>, to: Pick<Release, 'folder'>): Promise<void> {
  const server = inject('testServer')
  const name = `${server.prefix}_${randomBytes(4).toString('hex')}`
  await asAdmin(server.url, (admin) => admin.query(`create database ${name} template template0`))
  const home = await mkdtemp(path.join(tmpdir(), 'docket-upgrade-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const url = databaseUrl(server.url, name)
  const environment = {
    DATABASE_URL: url,
    DOCKET_HOME: home,
    DOCKET_SECRET: TEST_SECRET,
    DRAIN_SECONDS: '5',
  }
  const balancer = await openBalancer()
  onTestFinished(balancer.close)
  const start = async ({ folder }: Pick<Release, 'folder'>) => {
    const program = await runProgram(environment, path.join(folder, 'server/main.ts'))
    await untilReady(program)
    balancer.targets.add(program.url)
    await eventually('the balancer sends requests to the program', () => balancer.isReady(program.url)).toBe(true)
    return program
  }
  let programs = [await start(from), await start(from)]
  const load = await startLoad(balancer, await seed(from, environment))

  const rollTo = async (release: Pick<Release, 'folder'>) => {
    const started: Program[] = []
    for (const old of programs) {
      await load.goesOn()
      old.process.kill('SIGTERM')
      expect(await old.ended, old.output()).toBe(0)
      balancer.targets.delete(old.url)
      started.push(await start(release))
    }
    programs = started
    await load.goesOn()
  }
  await rollTo(to)
  await rollTo(from)
  const { failed, decided, written, read } = await load.stop()

  console.log(`${decided.size} decisions, ${written.size} comments, ${read} reads; ${failed.length} failed`)
  expect(failed).toEqual([])
  const database = openDatabase({ url, connections: 4, onError: () => {} })
  onTestFinished(() => database.close())
  const stored = await database.prisma.comment.findMany({ select: { commentId: true, approvalStatus: true } })
  const states = new Map(stored.map(({ commentId, approvalStatus }) => [commentId, approvalStatus]))
  expect([...decided].filter(([commentId, state]) => states.get(commentId) !== state)).toEqual([])
  expect([...written].filter((commentId) => !states.has(commentId))).toEqual([])
  expect(states.size).toBe(HELD + written.size)
  await expectWhole(database, environment)
}

interface Seed {
  postId: string
  commentIds: string[]
  accessToken: string
  userToken: string
}

/** By the code of the release that made the database: newer code may write columns that it lacks. */
async function seed({ folder }: Pick<Release, 'folder'>, environment: Record<string, string>): Promise<Seed> {
  await mkdir(path.join(folder, '.docket'), { recursive: true })
  const script = path.join(folder, `.docket/seed-${randomUUID()}.ts`)
  await writeFile(script, SEED)
  onTestFinished(() => rm(script, { force: true }))
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    env: { ...process.env, ...environment },
    maxBuffer: 16 * 1024 ** 2,
  })
  return JSON.parse(stdout)
}

const SEED = `
  import { openDatabase } from '#server/core/database/open-database.ts'
  import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
  import { systemCtx } from '#server/testing/ctx.ts'
  import { factoriesOf } from '#server/testing/factories.ts'
  import { withItems } from '#server/testing/with-items.ts'

  const database = withItems(openDatabase({ url: process.env.DATABASE_URL, connections: 2, onError: () => {} }))
  const ctx = systemCtx(database)
  const make = factoriesOf(database)
  const { prisma } = database
  const { communityId } = await make.community()
  const { userId } = await make.user()
  const commentIds = Array.from({ length: ${HELD} }, (_, index) => 'held-' + index)
  await prisma.comment.createMany({
    data: commentIds.map((commentId) => ({
      commentId, userId, communityId, targetType: 'community', approvalStatus: 'pending', data: { text: commentId }, queuedAt: new Date(),
    })),
  })
  await make.member({ communityId, userId })
  const { postId } = await make.post({ communityId })
  const lifetimeMs = 86_400_000
  const { accessToken } = await createToken(ctx, { lifetimeMs })
  const { accessToken: userToken } = await createToken(ctx, { lifetimeMs, userId })
  await database.close()
  console.log(JSON.stringify({ postId, commentIds, accessToken, userToken }))
`

const STATES = { approve: 'approved', decline: 'rejected' } as const

/** Clients that decide, write and read through the balancer, and repeat nothing. */
async function startLoad(balancer: Balancer, { postId, commentIds, accessToken, userToken }: Seed) {
  const stopping = new AbortController()
  const failed: string[] = []
  const decided = new Map<string, string>()
  const written = new Set<string>()
  let read = 0
  let sent = 0

  const send = async (method: string, route: string, token: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    sent += 1
    try {
      const answer = await fetch(`${balancer.url}${route}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.status === 200) return JSON.parse(text)
      failed.push(`${method} ${route}: ${answer.status} ${text}`)
    } catch (error) {
      failed.push(`${method} ${route}: ${error}`)
    }
  }
  const decide = async (commentId: string, how: keyof typeof STATES) => {
    if (await send('POST', `/api/v3/comments/${commentId}/${how}`, accessToken)) decided.set(commentId, STATES[how])
  }
  const write = async () => {
    const body = { referenceType: 'post', referenceId: postId, data: { text: randomUUID() } }
    const answer = await send('POST', '/api/v3/comments', userToken, body)
    if (answer) written.add(answer.comments[0].commentId)
  }
  const client = async () => {
    while (!stopping.signal.aborted) {
      const commentId = commentIds.pop()
      if (commentId === undefined) throw new Error('All held comments are decided: HELD is too small')
      await decide(commentId, sent % 2 ? 'approve' : 'decline')
      await write()
      if (await send('GET', `/api/v3/comments/${commentId}`, accessToken)) read += 1
      await sleep(PAUSE_MS)
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  for (const each of clients) each.catch((error) => failed.push(String(error)))
  return {
    /** Waits until another part of the load is answered. */
    goesOn: async () => {
      const before = sent
      await eventually('the load goes on', () => sent + failed.length).toBeGreaterThan(before + REQUESTS_BETWEEN)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(clients)
      return { failed, decided, written, read }
    },
  }
}
