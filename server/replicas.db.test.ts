import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { query, sql } from '#server/core/db.ts'
import { createLogger } from '#server/core/log.ts'
import { type OpenReplicas, openReplicas } from '#server/core/replicas/open-replicas.ts'
import { CALLERS, STANDINGS } from '#server/testing/callers.ts'
import { eventually } from '#server/testing/eventually.ts'
import { PROCEDURES, procedureCalls } from '#server/testing/procedures/call-procedure.ts'
import { DESK_CALLERS, makeDeskScenes } from '#server/testing/procedures/desk-callers.ts'
import { DESK_ROWS } from '#server/testing/procedures/rows.ts'
import { startReplicatedPostgres } from '#server/testing/replicated-postgres.ts'
import { ROWS } from '#server/testing/routes/rows.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { makeScenes } from '#server/testing/scene.ts'
import { tableApi } from '#server/testing/table-api.ts'
import { waitUntil } from '#server/testing/wait-until.ts'
import { migrate } from '../prisma/migrate.ts'

const PAIRS = scaled(20)

const servers = await startReplicatedPostgres({ isSynchronous: false })
afterAll(servers.stop)
const database = openDatabase({ url: servers.primaryUrl, connections: 6, onError: () => {} })
afterAll(() => database.close())
await migrate(database.pool, () => {})
const replicas = openReplica(database, servers.standbyUrl)
afterAll(replicas.close)
const api = await tableApi(database, {}, { replicas })
const writer = await tableApi(database)
const call = procedureCalls(database)

function openReplica({ pool }: Database, url: string): OpenReplicas {
  const sizes = { connections: 4, keptConnections: 0 }
  return openReplicas({ urls: [url], primary: pool, ...sizes, log: createLogger('silent') })
}

const isUsable = () => replicas.states().every((state) => state.isUsable)

/**
 * Repeats a read until all of it ran on the replica. The primary answers where the replica is late, as on a busy machine: only an answer shows
 * which of them it was.
 */
async function onReplica<Answer>(what: string, read: () => Promise<Answer>): Promise<Answer> {
  const answers: Answer[] = []
  await waitUntil(`${what} runs on the replica`, async () => {
    if (!isUsable()) return false
    const before = { ...replicas.reads }
    answers.push(await read())
    return replicas.reads.replica > before.replica && replicas.reads.primary === before.primary
  })
  const answer = answers.at(-1)
  if (answer === undefined) throw new Error('nothing was answered')
  return answer
}

/** The queue, and what adds a row to the audit log. */
const PRIMARY_ROUTES = [
  'GET /api/v3/communities/{communityId}/comments/review-queue',
  'GET /api/v1/reports/moderation-activity/download',
]

test('each GET of the interface reads from the replica, except those of the queue and of the report file', async () => {
  const rows = ROWS.filter(({ route, outcomes }) => route.startsWith('GET ') && outcomes.includes(200))
  const callers = rows.map(({ outcomes }) => CALLERS[outcomes.indexOf(200)] ?? 'nobody')
  const scenes = await makeScenes(database, { castings: callers.map((caller) => STANDINGS[caller]) })
  for (const [index, row] of rows.entries()) {
    const [caller, scene] = [callers[index], scenes[index]]
    if (caller === undefined || scene === undefined) throw new Error('each row has a scene')
    const send = () => api.send(row, caller, scene)
    const before = { ...replicas.reads }
    const { status } = PRIMARY_ROUTES.includes(row.route) ? await send() : await onReplica(row.route, send)
    expect([row.route, status]).toEqual([row.route, 200])
    if (PRIMARY_ROUTES.includes(row.route)) expect(replicas.reads).toEqual(before)
  }
})

test('search, insights, lists of people, spaces and the log read from the replica at the desk', async () => {
  const rows = DESK_ROWS.filter(
    ({ procedure, outcomes }) => PROCEDURES[procedure]?.meta?.readsAnywhere === true && outcomes.includes(200),
  )
  expect(new Set(rows.map(({ procedure }) => procedure.split('.')[0]))).toEqual(
    new Set('audit channels communities insights lists members messages notes palette reports users'.split(' ')),
  )
  const callers = rows.map(({ outcomes }) => DESK_CALLERS[outcomes.lastIndexOf(200)] ?? 'nobody')
  const scenes = await makeDeskScenes(database, callers)
  for (const [index, { procedure, input }] of rows.entries()) {
    const scene = scenes[index]
    if (scene === undefined) throw new Error('each row has a scene')
    const [sent, me] = [await input?.(scene), await scene.mine()]
    const answer = await onReplica(procedure, () =>
      call(procedure, sent, { me: scene.me, mine: async () => ({ ...me, replicas }) }),
    )
    expect([procedure, Object.keys(answer)]).toEqual([procedure, ['answer']])
  }
})

/** Renames a person through a server without replicas, as another process does, then reads the name here. */
async function staleReads(pairs: number): Promise<unknown[]> {
  const [scene] = await makeScenes(database, { castings: ['none'] })
  const userId = scene?.memberId ?? ''
  const token = await api.tokenOf()
  const stale: unknown[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    const displayName = `Name ${pair}`
    const written = await writer.call('PUT', `/api/v3/users/${userId}`, { token, body: { displayName } })
    const read = await api.call('GET', `/api/v3/users/${userId}`, { token })
    const seen = [written.status, read.status, read.body?.users?.[0]?.displayName]
    if (JSON.stringify(seen) !== JSON.stringify([200, 200, displayName])) stale.push(seen)
  }
  return stale
}

test('a read sees every earlier write of another process', async () => {
  expect(await staleReads(PAIRS)).toEqual([])
  expect(await onReplica('a read after a write', () => staleReads(1))).toEqual([])
})

test('while the replica lags, reads see every write; then it is used again', async () => {
  await servers.pauseReplay()
  expect(await staleReads(PAIRS)).toEqual([])
  await eventually('the replica is no longer used', isUsable).toBe(false)
  await eventually('its lag is known', () => replicas.states()[0]?.lagBytes).toBeGreaterThan(0)
  await servers.resumeReplay()
  expect(await onReplica('a read after a write', () => staleReads(1))).toEqual([])
})

test.runIf(IS_STRESS)('when the replica dies under reads and comes back, no read fails', async () => {
  const token = await api.tokenOf()
  const isOver = new AbortController()
  const statuses = new Map<number, number>()
  const reading = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver.signal.aborted) {
        const { status } = await api.call('GET', '/api/v3/users', { token })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  onTestFinished(() => isOver.abort())
  await servers.killStandby()
  await eventually('the replica is no longer used', isUsable).toBe(false)
  await servers.restartStandby()
  expect(await onReplica('a read after a write', () => staleReads(1))).toEqual([])
  isOver.abort()
  await reading
  expect([...statuses.keys()]).toEqual([200])
})

test.runIf(IS_STRESS)('a promoted replica is not read from', async () => {
  const own = await startReplicatedPostgres({ isSynchronous: false })
  onTestFinished(own.stop)
  const primary = openDatabase({ url: own.primaryUrl, connections: 2, onError: () => {} })
  onTestFinished(() => primary.close())
  const promoted = openReplica(primary, own.standbyUrl)
  onTestFinished(promoted.close)
  const areUsed = () => promoted.states().map((state) => state.isUsable)
  await eventually('the replica is used', areUsed).toEqual([true])

  await own.promote()
  await eventually('the promoted replica is no longer used', areUsed).toEqual([false])
  const port = await promoted.read((db) => query({ db }, sql`select inet_server_port() as port`))
  expect(port).toEqual([{ port: Number(new URL(own.primaryUrl).port) }])
})
