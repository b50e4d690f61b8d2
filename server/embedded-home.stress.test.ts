import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { APPLICATION_ROLE, applicationPassword } from '#server/core/embedded/application-role.ts'
import { sessionUrl } from '#server/core/embedded/session.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { forgetEvents } from '#server/modules/ledger/events/forget-events.ts'
import { asAdmin, ctxOf, systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { recordTestEvent } from '#server/testing/events.ts'
import { eventually } from '#server/testing/eventually.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { openReceiver } from '#server/testing/receiver.ts'
import { scaled } from '#server/testing/scaled.ts'
import { waitUntil } from '#server/testing/wait-until.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'

const COMMENTS = scaled(150)

/** One home for all tests of this file, with its PostgreSQL as people run it. */
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'docket-home-'))
  await chmod(home, 0o755)
})
afterAll(async () => {
  const { pid } = await postmaster()
  if (pid > 0) process.kill(pid, 'SIGINT')
  await waitUntil('the database has stopped', async () => (await postmaster()).pid === 0)
  await rm(home, { recursive: true })
})

const environment = () => ({
  DATABASE_URL: '',
  DOCKET_HOME: home,
  DOCKET_SECRET: TEST_SECRET,
  WEBHOOK_ALLOW_LOOPBACK: '1',
})

async function startDocket(): Promise<Program> {
  const program = await runProgram(environment())
  await untilReady(program)
  return program
}

async function command(...words: string[]): Promise<Record<string, unknown>> {
  const program = await runProgram(environment(), 'server/cli/docket.ts', [...words, '--json'])
  expect(await program.ended, program.output()).toBe(0)
  return JSON.parse(program.output().trimEnd().split('\n').at(-1) ?? '')
}

async function postmaster(): Promise<{ pid: number; port: number }> {
  const text = await readFile(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port] = text.split('\n')
  return { pid: Number(pid ?? 0), port: Number(port ?? 0) }
}

/** Not startEmbeddedPostgres, which would manage the server in place of the program. */
async function urlsOfHome(): Promise<{ owner: string; application: string }> {
  const password = (await readFile(join(home, 'postgres', 'password'), 'utf8')).trim()
  const at = { applicationName: 'test', port: (await postmaster()).port, database: 'docket' as const }
  return {
    owner: sessionUrl({ ...at, user: 'docket', password }),
    application: sessionUrl({ ...at, user: APPLICATION_ROLE, password: applicationPassword(password) }),
  }
}

function open(url: string): Database {
  const database = openDatabase({ url, connections: 4, onError: () => {} })
  onTestFinished(() => database.close())
  return database
}

async function asOwner(...statements: string[]): Promise<void> {
  const owner = new pg.Client((await urlsOfHome()).owner)
  await owner.connect()
  try {
    for (const statement of statements) await owner.query(statement)
  } finally {
    await owner.end()
  }
}

test('an embedded database killed with -9 under load comes back on the same port, and no acknowledged write is lost', async () => {
  const program = await startDocket()
  const { accessToken } = await command('token', 'create', '--admin')
  const { owner } = await urlsOfHome()
  const before = open(owner)
  const make = factoriesOf(before)
  const { communityId } = await make.community()
  const { userId } = await make.user()
  const waiting: string[] = []
  for (let index = 0; index < COMMENTS; index += 1)
    waiting.push((await make.heldComment({ communityId, userId })).commentId)

  const acknowledged: string[] = []
  const queue = [...waiting]
  const approve = async (commentId: string) => {
    const answer = await fetch(`${program.url}/api/v3/comments/${commentId}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
    })
    if (answer.ok) acknowledged.push(commentId)
    return answer.status
  }
  const statuses = new Set<number>()
  const clients = Array.from({ length: 8 }, async () => {
    for (let commentId = queue.pop(); commentId !== undefined; commentId = queue.pop()) {
      const status = await approve(commentId)
      statuses.add(status)
      // Decided, or retried: a client that got no success answer repeats the request.
      if (status >= 500) queue.unshift(commentId)
    }
  })
  await eventually('half of the writes are acknowledged', () => acknowledged.length).toBeGreaterThan(COMMENTS / 2)
  const { pid, port } = await postmaster()
  process.kill(pid, 'SIGKILL')
  // Until the old line is gone from the file, it may still report that all is well.
  const isReadyAgain = async () => (await postmaster()).pid !== pid && (await fetch(`${program.url}/readyz`)).ok
  await eventually('the database is back', isReadyAgain).toBe(true)
  await Promise.all(clients)

  expect(await postmaster()).toEqual({ pid: expect.any(Number), port })
  const after = open((await urlsOfHome()).owner)
  const approved = await after.prisma.comment.findMany({ where: { communityId, approvalStatus: 'approved' } })
  expect(approved.map(({ commentId }) => commentId)).toEqual(expect.arrayContaining(acknowledged))
  expect(approved).toHaveLength(waiting.length)
  expect(await after.prisma.decision.count({ where: { communityId } })).toBe(waiting.length)
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(await postmaster()).toEqual({ pid: 0, port: 0 })
})

describe('the last process of a home ends its database on SIGTERM', () => {
  const stopped = { pid: 0, port: 0 }

  test('after another process was killed with -9 in the middle of a decision', async () => {
    const killed = await startDocket()
    const { accessToken } = await command('token', 'create', '--admin')
    const database = open((await urlsOfHome()).owner)
    const { commentId } = await factoriesOf(database).heldComment()
    const holder = await database.pool.connect()
    onTestFinished(() => holder.release(true))
    await holder.query('begin')
    await holder.query('select from comment where comment_id = $1 for update', [commentId])
    const deciding = fetch(`${killed.url}/api/v3/comments/${commentId}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
    }).catch(() => undefined)
    await waitForLockWaiter(database)
    const { pid } = await postmaster()

    killed.process.kill('SIGKILL')
    expect([await killed.ended, await deciding]).toEqual(['SIGKILL', undefined])
    const next = await startDocket()
    expect((await postmaster()).pid).toBe(pid)
    next.process.kill('SIGTERM')

    expect(await next.ended).toBe(0)
    expect(await postmaster()).toEqual(stopped)
  })

  test.runIf(process.platform === 'linux').each([
    ['at once', async () => {}],
    ['while it starts again', async (killed: number) => waitUntil('it starts', () => isAnother(killed))],
    ['once it is back', async (killed: number, program: Program) => untilAnotherIsReady(killed, program)],
  ])('after the database was killed with -9, and the process gets the signal %s', async (_when, untilThen) => {
    const program = await startDocket()
    const { pid } = await postmaster()
    process.kill(pid, 'SIGKILL')
    await untilThen(pid, program)

    program.process.kill('SIGTERM')

    expect(await program.ended).toBe(0)
    await eventually('no process of the database is left', () => processesOfDatabase()).toEqual([])
  })

  test('after it and its database were killed with -9, and both were started again', async () => {
    const killed = await startDocket()
    process.kill((await postmaster()).pid, 'SIGKILL')
    killed.process.kill('SIGKILL')
    await killed.ended

    const next = await startDocket()
    next.process.kill('SIGTERM')

    expect(await next.ended).toBe(0)
    expect(await postmaster()).toEqual(stopped)
  })

  /** The file of a killed database keeps its number until another one starts. */
  const isAnother = async (killed: number) => ![0, killed].includes((await postmaster()).pid)

  async function untilAnotherIsReady(killed: number, program: Program): Promise<void> {
    await waitUntil('the database starts', () => isAnother(killed))
    await untilReady(program)
  }

  /** All work in its data folder. */
  async function processesOfDatabase(): Promise<string[]> {
    const folders = await Promise.all(
      (await readdir('/proc')).map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)),
    )
    return folders.filter((folder) => folder === join(home, 'postgres', 'data')).map(String)
  }
})

describe('the role that the server works as', () => {
  const REFUSED = [
    'alter table audit disable trigger all',
    'drop trigger audit_append_only on audit',
    'drop table audit',
    'truncate audit',
    "update audit set action = 'x'",
    'delete from audit',
    'alter table audit_seal disable trigger all',
    'truncate audit_seal',
    'update audit_seal set seq = seq + 1',
    'delete from audit_seal',
    'truncate audit_text',
    'set session_replication_role = replica',
    `create or replace function reject_change() returns trigger language plpgsql as 'begin return new; end'`,
    'create table public.audit_of_mine (id int)',
    'create temporary table audit (id int)',
    'create schema audit_of_mine',
    'delete from _prisma_migrations',
    `alter role ${APPLICATION_ROLE} superuser`,
    'set role docket',
    `select pg_read_file('postgresql.conf')`,
    `copy audit to program 'cat'`,
  ]

  let program: Program
  beforeAll(async () => {
    program = await startDocket()
  })
  afterAll(() => program.process.kill('SIGKILL'))

  test('can neither disable what protects the audit log nor change it', async () => {
    const client = new pg.Client((await urlsOfHome()).application)
    await client.connect()
    onTestFinished(() => client.end())

    const codes = new Map<string, string>()
    for (const statement of REFUSED) {
      const outcome = await client.query(statement).then(
        () => 'done',
        (error) => String(error.code),
      )
      codes.set(statement, outcome)
    }

    // 42501: insufficient privilege.
    expect(codes).toEqual(new Map(REFUSED.map((statement) => [statement, '42501'])))
  })

  test('owns no table of Docket except the delivery queue, so that the queue can migrate itself', async () => {
    const { pool } = open((await urlsOfHome()).owner)
    const owners = await pool.query(`
      select nspname as schema, array_agg(distinct rolname::text order by rolname::text) as owners
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles r on r.oid = c.relowner
      where nspname in ('public', 'pgboss') and relkind in ('r', 'p', 'S', 'v') group by 1 order by 1`)
    expect(owners.rows).toEqual([
      { schema: 'pgboss', owners: [APPLICATION_ROLE] },
      { schema: 'public', owners: ['docket'] },
    ])
  })

  test('is enough for everything the server does: it decides, seals, delivers, verifies and adds partitions', async () => {
    const { accessToken } = await command('token', 'create', '--admin')
    const application = open((await urlsOfHome()).application)
    const { communityId, commentId } = await factoriesOf(application).heldComment()
    const receiver = await openReceiver()
    onTestFinished(async () => void (await receiver.close()))
    const admin = ctxOf(application, asAdmin(['MANAGE_CREDENTIALS']))
    receiver.trust((await addEndpoint(admin, { url: receiver.url, events: [] }, testWebhooks)).secret)
    await recordTestEvent(systemCtx(application), 'told as the application', 1)

    const answer = await fetch(`${program.url}/api/v3/comments/${commentId}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
    })
    expect(answer.status).toBe(200)
    expect(await application.prisma.decision.count({ where: { communityId } })).toBe(1)
    await eventually('both events are delivered', () => receiver.accepted.length).toBeGreaterThanOrEqual(2)
    await eventually('all events are numbered', () => application.prisma.event.count({ where: { seq: null } })).toBe(0)
    const unsealed = async () => (await application.pool.query('select from audit_unsealed')).rowCount
    await eventually('the audit log is sealed', unsealed).toBe(0)
    await command('audit', 'verify')

    await forgetEvents(systemCtx(application))
    const { rows } = await application.pool.query(
      `select name from partitions_of('event') where upto is not null order by upto`,
    )
    expect(rows).toEqual([{ name: 'event_0' }, { name: 'event_2000000' }])
  })
})

test('takes over a home of an older Docket, in which the server owned everything, with all its data', async () => {
  const first = await startDocket()
  await asOwner(`insert into category (category_id) values ('from before')`)
  first.process.kill('SIGTERM')
  // A command keeps the server running while it turns the home into one of an older version.
  const holding = await startDocket()
  holding.process.kill('SIGKILL')
  await holding.ended
  await asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${APPLICATION_ROLE}'`,
    `reassign owned by ${APPLICATION_ROLE} to docket`,
    `drop owned by ${APPLICATION_ROLE}`,
    'grant temporary on database docket to public',
    `drop role ${APPLICATION_ROLE}`,
  )

  const next = await startDocket()

  const application = open((await urlsOfHome()).application)
  expect(await application.prisma.category.count({ where: { categoryId: 'from before' } })).toBe(1)
  await expect(application.pool.query('alter table audit disable trigger all')).rejects.toThrow('must be owner')
  const { rows } = await application.pool.query(
    `select distinct tableowner::text as owner from pg_tables where schemaname = 'pgboss'`,
  )
  expect(rows).toEqual([{ owner: APPLICATION_ROLE }])
  next.process.kill('SIGTERM')
  expect(await next.ended).toBe(0)
})
