import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'
import { createLogger } from '#server/core/log.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { beforeStatements } from '#server/testing/recorded-statements.ts'
import { IS_STRESS, sampled } from '#server/testing/scaled.ts'
import { severableProxy } from '#server/testing/severable-proxy.ts'
import { waitUntil } from '#server/testing/wait-until.ts'
import { migrate } from '../../prisma/migrate.ts'

const { database, url, make } = await testDatabase()
const moderator = await adminTokenOf(database, 'moderator')

/** Another process of Docket on the same database, whose connections a test may break. */
async function open(at: string = url, connections = 4) {
  const opened = openDatabase({ url: at, connections, onError: () => {} })
  const api = await testApi(opened, { LOG_LEVEL: 'silent' })
  onTestFinished(() => opened.close())
  return { ...opened, api }
}
type Api = Awaited<ReturnType<typeof testApi>>

interface Write {
  method: string
  path: string
  token: string
  body?: unknown
  /** The rows in the database after it was done once. */
  subjectId: string
  action: string
}

const send = (api: Pick<Api, 'call'>, { method, path, token, body }: Write, key: string) =>
  api.call(method, path, { token, body, headers: { 'idempotency-key': key } })

/** Until PostgreSQL has noticed that the connection of an attempt is gone, that attempt is in progress. */
const attemptIsOver = () =>
  waitUntil('no attempt is in progress', async () => {
    const inProgress = `select from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
    return (await database.pool.query(inProgress)).rowCount === 0
  })

async function timesDone({ subjectId, action }: Write, at: Database = database): Promise<number> {
  const { rows } = await at.pool.query<{ count: number }>(
    `select count(*)::int as count from audit where action = $2 and (subject_id = $1 or community_id = $1 or channel_id = $1)`,
    [subjectId, action],
  )
  return rows[0]?.count ?? 0
}

/** A caller may retry, and learns when. */
function expectUnavailable({ status, headers, body }: Awaited<ReturnType<Api['call']>>) {
  expect([status, body, headers.get('retry-after')]).toEqual([
    503,
    { status: 'error', code: 500000, message: 'Service unavailable.' },
    '1',
  ])
}

async function approval(at: ReturnType<typeof factoriesOf> = make): Promise<Write> {
  const { commentId } = await at.heldComment()
  const path = `/api/v3/comments/${commentId}/approve`
  return { method: 'POST', path, token: moderator, subjectId: commentId, action: 'comment.approved' }
}

async function memberOfCommunity() {
  const [{ communityId }, { userId }] = await Promise.all([make.community(), make.user()])
  await make.member({ communityId, userId })
  return { communityId, userId }
}

async function channelWith(userId?: string) {
  const channelId = `channel-${randomUUID()}`
  await database.prisma.channel.create({ data: { channelId, type: 'community', isPublic: true } })
  if (userId !== undefined)
    await database.prisma.channelUser.create({ data: { channelId, userId, membership: 'member' } })
  return channelId
}

const tokens = await testApi(database)

/** Each kind of write that apps repeat after a lost answer. */
const WRITES: Record<string, () => Promise<Write>> = {
  approve: () => approval(),
  decline: async () => {
    const write = await approval()
    return {
      ...write,
      path: write.path.replace('approve', 'decline'),
      body: { reason: 'No' },
      action: 'comment.rejected',
    }
  },
  'ban from a channel': async () => {
    const { userId } = await make.user()
    const channelId = await channelWith(userId)
    const path = `/api/v3/channels/${channelId}/users/ban`
    return {
      method: 'PUT',
      path,
      token: moderator,
      body: { userIds: [userId] },
      subjectId: channelId,
      action: 'channelUser.banned',
    }
  },
  'add a role': async () => {
    const { communityId, userId } = await memberOfCommunity()
    const path = `/api/v3/communities/${communityId}/users/roles`
    const body = { role: 'community-moderator', userIds: [userId] }
    return {
      method: 'POST',
      path,
      token: await tokens.tokenOf(),
      body,
      subjectId: communityId,
      action: 'community.rolesChanged',
    }
  },
  'join a channel': async () => {
    const { userId } = await make.user()
    const channelId = await channelWith()
    const path = `/api/v3/channels/${channelId}/join`
    return {
      method: 'POST',
      path,
      token: await tokens.tokenOf(userId),
      subjectId: channelId,
      action: 'channelUser.joined',
    }
  },
  'create a post': async () => {
    const { communityId, userId } = await memberOfCommunity()
    const body = { targetType: 'community', targetId: communityId, data: { text: 'Words' }, dataType: 'text' }
    const token = await tokens.tokenOf(userId)
    return { method: 'POST', path: '/api/v4/posts', token, body, subjectId: communityId, action: 'post.created' }
  },
  'create a comment': async () => {
    const { communityId, userId } = await memberOfCommunity()
    const { postId } = await make.post({ communityId })
    const body = { referenceType: 'post', referenceId: postId, data: { text: 'Words' } }
    const token = await tokens.tokenOf(userId)
    return { method: 'POST', path: '/api/v3/comments', token, body, subjectId: communityId, action: 'comment.held' }
  },
  'create a message': async () => {
    const { userId } = await make.user()
    const channelId = await channelWith(userId)
    const { internalId } = await database.prisma.channel.findUniqueOrThrow({ where: { channelId } })
    const body = { messageFeedId: internalId, dataType: 'text', data: { text: 'Words' } }
    const token = await tokens.tokenOf(userId)
    return { method: 'POST', path: '/api/v5/messages', token, body, subjectId: channelId, action: 'message.created' }
  },
}

test.each(
  sampled(Object.keys(WRITES), 4),
)('%s: answers again when the answer to a commit was lost; a commit that never arrived is done once', async (name) => {
  for (const reaches of [true, false]) {
    const write = await WRITES[name]?.()
    if (write === undefined) throw new Error(name)
    const way = await severableProxy(new URL(url))
    const { api } = await open(way.url)
    const key = randomUUID()

    way.set({ sent: 'COMMIT', reaches })
    expectUnavailable(await send(api, write, key))
    expect([way.isSet(), await timesDone(write)]).toEqual([false, reaches ? 1 : 0])

    await attemptIsOver()
    const retry = await send(api, write, key)
    expect([reaches, retry.status, retry.headers.get('idempotency-replayed')]).toEqual([
      reaches,
      200,
      reaches ? 'true' : null,
    ])
    const third = await send(api, write, key)
    expect([third.body, third.headers.get('idempotency-replayed')]).toEqual([retry.body, 'true'])
    expect(await timesDone(write)).toBe(1)
    await way.cut()
  }
})

/** Ends the server's side of a connection, and waits until it is closed. */
async function terminate(client: pg.PoolClient) {
  const pid = Reflect.get(client, 'processID')
  await database.pool.query('select pg_terminate_backend($1)', [pid])
  await waitUntil('PostgreSQL has closed the connection', async () => {
    return (await database.pool.query('select from pg_stat_activity where pid = $1', [pid])).rowCount === 0
  })
}

test('a connection that ends before any statement of a decision is 503, and the retry decides once', async () => {
  const { api, pool } = await open()
  let [seen, endedAt] = [0, Number.POSITIVE_INFINITY]
  beforeStatements(pool, (client) => {
    seen += 1
    return seen === endedAt ? terminate(client) : undefined
  })
  expect((await send(api, await approval(), 'warm')).status).toBe(200)

  const ended: number[] = []
  for (let nth = 1; nth < 100; nth += 1) {
    const write = await approval()
    ;[seen, endedAt] = [0, nth]
    const answer = await send(api, write, `ended ${nth}`)
    if (seen < nth) break
    expectUnavailable(answer)
    expect([nth, await timesDone(write)]).toEqual([nth, 0])
    endedAt = Number.POSITIVE_INFINITY
    const retry = await send(api, write, `ended ${nth}`)
    expect([nth, retry.status, retry.headers.get('idempotency-replayed')]).toEqual([nth, 200, null])
    expect([nth, await timesDone(write)]).toEqual([nth, 1])
    ended.push(nth)
  }
  expect(ended.length).toBeGreaterThan(1)
})

/** An error that PostgreSQL raises for any change to a comment or row about it. */
async function failing(sqlstate: string, table: string) {
  await database.pool.query(`
    create or replace function fail_for_test() returns trigger language plpgsql as
      $$ begin raise exception 'as a test wants it' using errcode = '${sqlstate}'; end $$;
    create trigger fail_for_test before insert or update on ${table} for each row execute function fail_for_test()`)
  return () => database.pool.query(`drop trigger fail_for_test on ${table}`)
}

const TABLES = ['comment', 'tally_delta', 'audit', 'event', 'decision', 'idempotency_key']

test.each([
  ['a full disk', '53100'],
  ['no memory', '53200'],
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
  ['a statement that took too long', '57014'],
  ['a server that stops', '57P01'],
  ['an input or output error', '58030'],
  ['a standby that only reads', '25006'],
  ['a fault inside PostgreSQL', 'XX000'],
])('%s is 503 wherever it interrupts a decision, and nothing of the decision remains', async (_what, sqlstate) => {
  const { api } = await open()
  for (const table of sampled(TABLES, 3)) {
    const write = await approval()
    const mend = await failing(sqlstate, table)
    const answer = await send(api, write, `${sqlstate} ${table}`).finally(mend)
    expectUnavailable(answer)
    expect([table, await timesDone(write)]).toEqual([table, 0])
    const retry = await send(api, write, `${sqlstate} ${table}`)
    expect([table, retry.status, retry.headers.get('idempotency-replayed')]).toEqual([table, 200, null])
  }
})

test('an error at the commit is 503, and nothing of the decision remains', async () => {
  const { api } = await open()
  const write = await approval()
  await database.pool.query(`
    create function fail_late() returns trigger language plpgsql as $$ begin raise exception 'late' using errcode = '53100'; end $$;
    create constraint trigger fail_late after insert on decision deferrable initially deferred for each row execute function fail_late()`)
  const answer = await send(api, write, 'late').finally(() => database.pool.query('drop trigger fail_late on decision'))
  expectUnavailable(answer)
  expect(await timesDone(write)).toBe(0)
  expect((await send(api, write, 'late')).status).toBe(200)
})

test.each([
  ['lock_timeout'],
  ['statement_timeout'],
])('a row that is locked for longer than %s is 503, and the retry succeeds', async (setting) => {
  const opened = openDatabase({ url, connections: 2, onError: () => {} })
  onTestFinished(() => opened.close())
  opened.pool.on('connect', (client) => void client.query(`set ${setting} = 100`))
  const api = await testApi(opened, { LOG_LEVEL: 'silent' })
  const write = await approval()
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query('select from comment where comment_id = $1 for update', [write.subjectId])
  expectUnavailable(await send(api, write, setting))
  await holder.query('commit')
  holder.release()
  expect((await send(tokens, write, setting)).status).toBe(200)
})

test('with all connections used up, at the server or in the pool, a decision is 503 and the retry succeeds', async () => {
  const name = `limited_${randomUUID().slice(0, 8)}`
  await database.pool.query(
    `create role ${name} login superuser password 'limited' connection limit 1; alter role ${name} nosuperuser; grant pg_read_all_data, pg_write_all_data to ${name}`,
  )
  onTestFinished(async () => void (await database.pool.query(`drop owned by ${name}; drop role ${name}`)))
  const limited = new URL(url)
  limited.username = name
  limited.password = 'limited'
  const [holder, write] = [new pg.Client(limited.href), await approval()]
  await holder.connect()
  const { api, pool } = await open(limited.href, 1)
  expectUnavailable(await send(api, write, 'used up'))
  await holder.end()
  await waitUntil('PostgreSQL has closed the connection', async () => {
    return (await database.pool.query('select from pg_stat_activity where usename = $1', [name])).rowCount === 0
  })
  expect((await send(api, write, 'used up')).status).toBe(200)

  const another = await approval()
  const held = await pool.connect()
  expectUnavailable(await send(api, another, 'pool'))
  held.release()
  expect((await send(api, another, 'pool')).status).toBe(200)
})

test.runIf(IS_STRESS)(
  'a server crash during decisions causes no 500 and loses nothing acknowledged, and retries decide once',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'docket-faults-'))
    await chmod(home, 0o755)
    const server = await startEmbeddedPostgres({
      home,
      settings: { shared_buffers: '32MB' },
      say: () => {},
      log: createLogger('silent'),
    })
    onTestFinished(async () => {
      await server.stop()
      await rm(home, { recursive: true })
    })
    const own = openDatabase({ url: server.ownerUrl, connections: 4, onError: () => {} })
    onTestFinished(() => own.close())
    await migrate(own.pool, () => {})
    const token = await adminTokenOf(own, 'moderator')
    const writes = await Promise.all(
      Array.from({ length: 24 }, async () => ({ ...(await approval(factoriesOf(own))), token })),
    )
    const { api } = await open(server.ownerUrl)
    const [victim, bystander] = [new pg.Client(server.ownerUrl), new pg.Client(server.ownerUrl)]
    for (const client of [victim, bystander]) {
      client.on('error', () => {})
      await client.connect()
    }
    const bystanderIsCut = new Promise<void>((resolve) => bystander.on('end', resolve))
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')

    const deciding = writes.map((write, index) => send(api, write, `crash ${index}`))
    await Promise.race(deciding)
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
    const first = await Promise.all(deciding)

    for (const answer of first) if (answer.status !== 200) expectUnavailable(answer)
    expect(first.some(({ status }) => status === 200)).toBe(true)
    // The server cuts all connections before it recovers, and accepts new ones once it has.
    await bystanderIsCut
    await waitUntil('the server has recovered', () => acceptsConnections(server.ownerUrl))
    const again = async (index: number, write: Write) => {
      expect((await send(api, write, `crash ${index}`)).status).toBe(200)
      const answer = await send(api, write, `crash ${index}`)
      expect(answer.headers.get('idempotency-replayed')).toBe('true')
      if (first[index]?.status === 200) expect(answer.body).toEqual(first[index]?.body)
    }
    for (const [index, write] of writes.entries()) await again(index, write)
    for (const write of writes) expect(await timesDone(write, own)).toBe(1)
  },
)

async function acceptsConnections(at: string): Promise<boolean> {
  const client = new pg.Client(at)
  client.on('error', () => {})
  const isAccepted = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end()
  return isAccepted
}
