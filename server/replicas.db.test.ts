import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLogger } from '#server/core/log.ts'
import { openReplicas } from '#server/core/replicas/open-replicas.ts'
import { CALLERS, STANDINGS } from '#server/testing/callers.ts'
import { PROCEDURES, procedureCalls } from '#server/testing/procedures/call-procedure.ts'
import { DESK_CALLERS, makeDeskScenes } from '#server/testing/procedures/desk-callers.ts'
import { DESK_ROWS } from '#server/testing/procedures/rows.ts'
import { startReplicatedPostgres } from '#server/testing/replicated-postgres.ts'
import { ROWS } from '#server/testing/routes/rows.ts'
import { sampled, scaled } from '#server/testing/scaled.ts'
import { makeScenes } from '#server/testing/scene.ts'
import { tableApi } from '#server/testing/table-api.ts'
import { migrate } from '../prisma/migrate.ts'

/** Only for what hangs. */
const PATIENCE = { timeout: 60_000, interval: 20 }
const PAIRS = scaled(20)
/** Each day others. */
const SAMPLE = 12

const servers = await startReplicatedPostgres({ isSynchronous: false })
afterAll(servers.stop)
const database = openDatabase({ url: servers.primaryUrl, connections: 6, onError: () => {} })
afterAll(() => database.close())
await migrate(database.pool, () => {})
const replicas = openReplicas({
  urls: [servers.standbyUrl],
  primary: database.pool,
  connections: 4,
  keptConnections: 0,
  log: createLogger('silent'),
})
afterAll(replicas.close)
const api = await tableApi(database, {}, { replicas })
const writer = await tableApi(database)
const call = procedureCalls(database)

const isUsable = () => replicas.states().every((state) => state.isUsable)

/** Repeats a read until it ran on the replica: on a busy machine that may be late, and the primary answers. */
async function onReplica<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  for (const before = replicas.reads.replica; ; ) {
    await expect.poll(isUsable, PATIENCE).toBe(true)
    const answer = await read()
    if (replicas.reads.replica > before) return answer
  }
}

/** The queue, and what adds a row to the audit log. */
const PRIMARY_ROUTES = [
  'GET /api/v3/communities/{communityId}/comments/review-queue',
  'GET /api/v1/reports/moderation-activity/download',
]

test('each GET of the interface reads from the replica, except those of the queue and of the report file', async () => {
  const all = ROWS.filter(({ route, outcomes }) => route.startsWith('GET ') && outcomes.includes(200))
  const rows = sampled(all, SAMPLE)
  const callers = rows.map(({ outcomes }) => CALLERS[outcomes.indexOf(200)] ?? 'nobody')
  const scenes = await makeScenes(database, { castings: callers.map((caller) => STANDINGS[caller]) })
  for (const [index, row] of rows.entries()) {
    const [caller, scene] = [callers[index], scenes[index]]
    if (caller === undefined || scene === undefined) throw new Error('each row has a scene')
    const send = () => api.send(row, caller, scene)
    const before = { ...replicas.reads }
    const { status } = PRIMARY_ROUTES.includes(row.route) ? await send() : await onReplica(send)
    expect([row.route, status, replicas.reads.failed]).toEqual([row.route, 200, 0])
    if (PRIMARY_ROUTES.includes(row.route)) expect(replicas.reads).toEqual(before)
  }
})

test('search, insights, lists of people, spaces and the log read from the replica at the desk', async () => {
  const all = DESK_ROWS.filter(
    ({ procedure, outcomes }) => PROCEDURES[procedure]?.meta?.readsAnywhere === true && outcomes.includes(200),
  )
  expect(new Set(all.map(({ procedure }) => procedure.split('.')[0]))).toEqual(
    new Set('audit channels communities insights lists members messages notes palette reports users'.split(' ')),
  )
  const rows = sampled(all, SAMPLE)
  const callers = rows.map(({ outcomes }) => DESK_CALLERS[outcomes.lastIndexOf(200)] ?? 'nobody')
  const scenes = await makeDeskScenes(database, callers)
  for (const [index, { procedure, input }] of rows.entries()) {
    const scene = scenes[index]
    if (scene === undefined) throw new Error('each row has a scene')
    const [sent, me] = [await input?.(scene), await scene.mine()]
    const answer = await onReplica(() =>
      call(procedure, sent, { me: scene.me, mine: async () => ({ ...me, replicas }) }),
    )
    expect([procedure, Object.keys(answer), replicas.reads.failed]).toEqual([procedure, ['answer'], 0])
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
  const before = replicas.reads.replica
  expect(await staleReads(PAIRS)).toEqual([])
  await onReplica(() => staleReads(1))
  expect(replicas.reads.replica).toBeGreaterThan(before)
})

test('while the replica lags, reads see every write; then it is used again', async () => {
  await servers.pauseReplay()
  expect(await staleReads(PAIRS)).toEqual([])
  await expect.poll(isUsable, PATIENCE).toBe(false)
  await expect.poll(() => replicas.states()[0]?.lagBytes, PATIENCE).toBeGreaterThan(0)
  await servers.resumeReplay()
  await onReplica(() => staleReads(1))
})

test('when the replica dies under reads and comes back, no read fails', async () => {
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
  await expect.poll(isUsable, PATIENCE).toBe(false)
  await servers.restartStandby()
  await expect.poll(isUsable, PATIENCE).toBe(true)
  await onReplica(() => staleReads(1))
  isOver.abort()
  await reading
  expect([...statuses.keys()]).toEqual([200])
})

test('a promoted replica is not read from', async () => {
  await servers.promote()
  await expect.poll(isUsable, PATIENCE).toBe(false)
  expect(await staleReads(1)).toEqual([])
})
