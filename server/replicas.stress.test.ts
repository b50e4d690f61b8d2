import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { STANDINGS } from '#server/testing/callers.ts'
import { systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { eventually } from '#server/testing/eventually.ts'
import { createHeldComments } from '#server/testing/held-comments.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { startReplicatedPostgres } from '#server/testing/replicated-postgres.ts'
import { scaled } from '#server/testing/scaled.ts'
import { makeScenes, type Scene } from '#server/testing/scene.ts'
import { sessionCookie } from '#server/testing/session-cookie.ts'
import { uniqueWord } from '#server/testing/unique-word.ts'
import { migrate } from '../prisma/migrate.ts'

/** 10,000 with a STRESS_SCALE of 40. */
const PAIRS = scaled(250)
const CLIENTS = 12
const HELD_BACK_MS = 10_000
const REPLICAS = 2

const servers = await startReplicatedPostgres({ isSynchronous: false })
afterAll(servers.stop)
const home = await mkdtemp(join(tmpdir(), 'docket-replicas-'))
afterAll(() => rm(home, { recursive: true }))
const database = openDatabase({ url: servers.primaryUrl, connections: 4, onError: () => {} })
afterAll(() => database.close())
await migrate(database.pool, () => {})

const environment = {
  DATABASE_URL: servers.primaryUrl,
  // One server under two names: reads take turns.
  DATABASE_REPLICA_URLS: [servers.standbyUrl, servers.standbyUrl.replace('127.0.0.1', 'localhost')].join(','),
  DOCKET_HOME: home,
  DOCKET_SECRET: TEST_SECRET,
  LOG_LEVEL: 'silent',
}

/** Two processes; no client keeps to one of them, or sends anything back but its credentials. */
const programs: Program[] = []
afterAll(() => {
  for (const program of programs) program.process.kill('SIGKILL')
})
let admin = ''
let cookie = ''
const scenes: Scene[] = []
const held: { communityId: string; left: string[]; decided: number } = { communityId: '', left: [], decided: 0 }

beforeAll(async () => {
  for (let started = 0; started < 2; started += 1) {
    const program = await runProgram(environment)
    programs.push(program)
    await untilReady(program)
  }
  admin = (await createToken(systemCtx(database), { lifetimeMs: 24 * 3_600_000 })).accessToken
  const person = { email: 'replicas@docket.example', name: 'Replicas', roleId: 'global-admin' }
  const session = await sessionCookie(database, (await createStaff(systemCtx(database), person)).staffId)
  cookie = `${session.name}=${session.value}`
  const castings = Array.from({ length: CLIENTS }, () => STANDINGS['channel moderator'])
  scenes.push(...(await makeScenes(database, { castings })))
  const { communityId, commentIds } = await createHeldComments(database, 3 * PAIRS)
  Object.assign(held, { communityId, left: commentIds })
})

interface Answer {
  status: number
  text: string
}

/** A call to one of the programs. */
type Call = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  sent?: { body?: unknown; token?: string },
) => Promise<Answer>

const callTo =
  (program: Program | undefined): Call =>
  async (method, path, { body, token = admin } = {}) => {
    const isDesk = path.startsWith('/api/trpc/')
    const answer = await fetch(`${program?.url}${path}`, {
      method,
      headers: {
        ...(isDesk ? { cookie, origin: program?.url ?? '' } : { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }

const asked = (procedure: string, input: unknown) =>
  `/api/trpc/${procedure}?${new URLSearchParams({ input: JSON.stringify(input) })}`

/** A write at one process, and reads that show it, each at the other process right after it. */
interface Kind {
  write(call: Call, scene: Scene, word: string): Promise<Answer>
  reads: Record<string, (call: Call, scene: Scene, word: string, written: Answer) => Promise<Answer>>
  /** By default, that the answer contains the word. */
  shows?: (answer: Answer, word: string) => boolean
}

const DAY_MS = 86_400_000
const dayAt = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString().slice(0, 10)

const KINDS: Kind[] = [
  {
    write: (call, { messageFeedId, token = '' }, word) =>
      call('POST', '/api/v5/messages', { token, body: { messageFeedId, data: { text: word } } }),
    reads: {
      'messages of a channel': (call, { messageFeedId, token = '' }) =>
        call('GET', `/api/v5/messages?messageFeedId=${messageFeedId}`, { token }),
      'search of messages': (call, { token = '' }, word) =>
        call('GET', `/api/v2/search/messages?query=${word}`, { token }),
      'search of messages at the desk': (call, _scene, word) => call('GET', asked('messages.search', { query: word })),
    },
  },
  {
    write: (call, { postId, token = '' }, word) =>
      call('POST', '/api/v3/comments', {
        token,
        body: { referenceType: 'post', referenceId: postId, data: { text: word } },
      }),
    reads: {
      'one comment': (call, { token = '' }, _word, { text }) =>
        call('GET', `/api/v3/comments/${JSON.parse(text).comments[0].commentId}`, { token }),
      'comments of a post': (call, { postId, token = '' }) =>
        call('GET', `/api/v3/comments?referenceType=post&referenceId=${postId}&options[limit]=5`, { token }),
    },
  },
  {
    write: (call, { memberId }, word) => call('PUT', `/api/v3/users/${memberId}`, { body: { displayName: word } }),
    reads: {
      'one user': (call, { memberId }) => call('GET', `/api/v3/users/${memberId}`),
      'members of a channel': (call, { channelId }) => call('GET', `/api/v3/channels/${channelId}/users`),
      'people by name': (call, _scene, word) => call('GET', asked('users.find', { query: word })),
      'a page about a person': (call, { memberId }) => call('GET', asked('users.read', { userId: memberId })),
    },
  },
  {
    write: (call, { channelId }, word) => call('PUT', `/api/v3/channels/${channelId}`, { body: { displayName: word } }),
    reads: {
      'one channel': (call, { channelId }) => call('GET', `/api/v3/channels/${channelId}`),
      'search of channels': (call, _scene, word) => call('GET', `/api/v2/search/channels?query=${word}`),
      'the palette': (call, _scene, word) => call('GET', asked('palette.find', { query: word })),
      'the audit log': (call, { channelId }) =>
        call('GET', asked('audit.list', { subjectType: 'channel', subjectId: channelId, limit: 1 })),
    },
  },
  {
    write: (call, { memberId }, word) =>
      call('POST', '/api/trpc/notes.write', { body: { aboutUserId: memberId, text: word } }),
    reads: { notes: (call, { memberId }) => call('GET', asked('notes.list', { aboutUserId: memberId })) },
  },
  {
    write: async (call) => {
      const answer = await call('POST', `/api/v3/comments/${held.left.pop()}/approve`, {})
      held.decided += 1
      return answer
    },
    reads: {
      insights: async (call) => {
        const atLeast = held.decided
        const range = { communityId: held.communityId, startDate: dayAt(-DAY_MS), endDate: dayAt(DAY_MS) }
        const answer = await call('GET', asked('insights.read', range))
        const total = JSON.parse(answer.text).result?.data.total.approved
        return { ...answer, text: total >= atLeast ? 'all decisions' : `${total} of ${atLeast}` }
      },
    },
    shows: ({ text }) => text === 'all decisions',
  },
]
const CASES = KINDS.flatMap(({ reads, ...kind }) =>
  Object.entries(reads).map(([name, read]) => ({ ...kind, name, read })),
)

/** Pairs of a write and a read, by clients that go on for as long as `goesOn`; what was stale, and what failed. */
async function runPairs(goesOn: () => boolean): Promise<{ pairs: number; problems: string[] }> {
  let pairs = 0
  const problems: string[] = []
  const client = async (scene: Scene) => {
    while (goesOn()) {
      const pair = pairs
      pairs += 1
      const one = CASES[pair % CASES.length]
      if (one === undefined) return
      const word = uniqueWord()
      const [writer, reader] = [programs[pair % 2], programs[(pair + 1) % 2]]
      const written = await one.write(callTo(writer), scene, word)
      if (written.status !== 200) problems.push(`${one.name}: its write failed: ${written.status} ${written.text}`)
      const read = await one.read(callTo(reader), scene, word, written)
      if (read.status !== 200) problems.push(`${one.name}: failed: ${read.status} ${read.text}`)
      else if (!(one.shows ?? isShown)(read, word)) problems.push(`${one.name}: stale: ${read.text.slice(0, 200)}`)
    }
  }
  await Promise.all(scenes.map(client))
  return { pairs, problems }
}

function isShown({ text }: Answer, word: string): boolean {
  return text.includes(word)
}

/** The sum of a metric over both programs. */
async function sumOf(metric: RegExp): Promise<number> {
  const texts = await Promise.all(programs.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()))
  const values = texts.flatMap((text) => [...text.matchAll(metric)].map(([, value]) => Number(value)))
  return values.reduce((sum, value) => sum + value, 0)
}
const replicasUsed = () => sumOf(/^docket_replica_usable\{.*\} (\d+)$/gm)
const readsOf = (server: string) =>
  sumOf(new RegExp(`^docket_replica_reads_total\\{server="${server}"\\} (\\d+)$`, 'gm'))

async function report(title: string): Promise<void> {
  const [onReplica, onPrimary, failed] = await Promise.all(['replica', 'primary', 'failed'].map(readsOf))
  console.log(
    `${title}: so far ${onReplica} reads on the replica, ${onPrimary} on the primary, ${failed} after a failure`,
  )
}

const untilReplicasAreUsed = () =>
  eventually('both programs use both replicas', replicasUsed).toBe(programs.length * REPLICAS)

test(`${PAIRS} writes at one process are all seen by the next read at another`, async () => {
  await untilReplicasAreUsed()
  let started = 0
  const { pairs, problems } = await runPairs(() => started++ < PAIRS)
  await report(`${pairs} pairs`)
  expect(problems).toEqual([])
  expect(pairs).toBe(PAIRS)
  expect(await readsOf('replica')).toBeGreaterThan(0)
})

test('a replica that is held back for ten seconds costs no error and no stale read', async () => {
  await untilReplicasAreUsed()
  await servers.pauseReplay()
  let isOver = false
  const running = runPairs(() => !isOver)
  await sleep(HELD_BACK_MS)
  await eventually('no replica is used', replicasUsed).toBe(0)
  isOver = true
  const { pairs, problems } = await running
  await servers.resumeReplay()
  await untilReplicasAreUsed()
  await report(`${pairs} pairs held back`)
  expect(problems).toEqual([])
  expect(pairs).toBeGreaterThan(0)
})

test('a replica that is killed under load and brought back costs no error and no stale read', async () => {
  await untilReplicasAreUsed()
  let isOver = false
  const running = runPairs(() => !isOver)
  const before = await readsOf('replica')
  await eventually('reads run on the replica', () => readsOf('replica')).toBeGreaterThan(before)
  await servers.killStandby()
  await eventually('no replica is used', replicasUsed).toBe(0)
  await servers.restartStandby()
  await untilReplicasAreUsed()
  const after = await readsOf('replica')
  await eventually('reads run on the replica again', () => readsOf('replica')).toBeGreaterThan(after)
  isOver = true
  const { pairs, problems } = await running
  await report(`${pairs} pairs around the kill`)
  expect(problems).toEqual([])
})
