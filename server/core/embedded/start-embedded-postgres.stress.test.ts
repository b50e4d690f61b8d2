import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLogger } from '#server/core/log.ts'
import { eventually } from '#server/testing/eventually.ts'
import { waitUntil } from '#server/testing/wait-until.ts'
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './start-embedded-postgres.ts'
import { startEmbeddedPostgres } from './start-embedded-postgres.ts'

const SMALL = { fsync: 'off', shared_buffers: '16MB' }
const SILENT = createLogger('silent')
const NOBODY = { uid: 65_534, gid: 65_534 }
const MODULE = new URL('./start-embedded-postgres.ts', import.meta.url).href
const isRoot = process.getuid?.() === 0

let playground: string
/** Most tests share it; tests that damage it use a copy. */
let home: string
let ownHomes = 0
const leftRunning: { stop(): Promise<unknown> }[] = []

beforeAll(async () => {
  playground = await mkdtemp(join(tmpdir(), 'docket-embedded-'))
  await chmod(playground, 0o755)
  home = join(playground, 'home')
  await start(home)
  await stopAll()
})

afterEach(stopAll)

afterAll(() => rm(playground, { recursive: true }))

describe('the first start', () => {
  test('creates a database that knows the letters of every script and writes times in UTC', async () => {
    const { url } = await start(home)

    await query(url, 'create extension if not exists pg_trgm')
    const [row] = await query(
      url,
      `select current_user, current_database(), show_trgm('я') as trigrams, current_setting('TimeZone') as zone`,
    )

    expect(row).toEqual({
      current_user: 'docket',
      current_database: 'docket',
      trigrams: [expect.any(String), expect.any(String)],
      zone: 'UTC',
    })
  })

  test('lets nobody in without the password, which only its owner can read', async () => {
    const { url } = await start(home)

    expect((await stat(join(home, 'postgres', 'password'))).mode & 0o777).toBe(0o600)
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select')).rejects.toThrow('password authentication failed')
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  })

  test('leaves nothing that affects the next start when killed in the middle', async () => {
    const ownHome = newHome()
    const first = spawnDocket(ownHome)
    await first.said('Setting up')
    first.kill('SIGKILL')
    await mkdir(join(ownHome, 'postgres', 'making-killed', 'data', 'base'), { recursive: true })

    const { url } = await start(ownHome)

    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readdir(join(ownHome, 'postgres'))).filter((name) => name.startsWith('making-'))).toEqual([])
  })

  test('completes a database that an earlier start did not finish', async () => {
    const { url, stop } = await start(home)
    await query(url.replace('/docket?', '/postgres?'), 'drop database docket')
    await stop()

    expect(await query((await start(home)).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

test('keeps data over a stop and a start, and a given setting overrides the default', async () => {
  const first = await start(home)
  await query(first.url, 'create table kept_over_a_stop (id int)')
  await first.stop()
  await expect(query(first.url, 'select')).rejects.toThrow('ECONNREFUSED')

  const { url } = await start(home, { settings: { ...SMALL, work_mem: '3MB' } })

  expect(await query(url, 'select * from kept_over_a_stop')).toEqual([])
  expect(await query(url, 'show work_mem')).toEqual([{ work_mem: '3MB' }])
})

describe('among several processes', () => {
  test('the second uses the server of the first, and only the last one to exit stops it', async () => {
    const first = await start(home)
    const second = await start(home)
    const pid = await serverPid(home)

    await first.stop()
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await serverPid(home)).toBe(pid)

    await second.stop()
    await expect(query(second.url, 'select')).rejects.toThrow('ECONNREFUSED')
  })

  test('of two starting at once, exactly one starts the server and the other uses it', async () => {
    const log = join(home, 'postgres', 'postgres.log')
    await rm(log)

    const [first, second] = await Promise.all([spawnDocket(home).ready(), spawnDocket(home).ready()])

    expect(new URL(first).port).toBe(new URL(second).port)
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readFile(log, 'utf8')).match(/starting PostgreSQL/g)).toHaveLength(1)
  })

  test('a server survives Ctrl-C and kill -9 of the process that started it, and the next one uses it', async () => {
    const killed = spawnDocket(home)
    await killed.ready()
    const pid = await serverPid(home)

    killed.kill('SIGINT')
    killed.kill('SIGKILL')
    await killed.ended
    const { url, stop } = await start(home)

    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await serverPid(home)).toBe(pid)
    await stop()
    await expect(query(url, 'select')).rejects.toThrow('ECONNREFUSED')
  })

  test('a process killed in the middle of a statement doesn’t keep the server: the next one stops it', async () => {
    const killed = spawnDocket(home)
    const ownerUrl = await killed.ready()
    killed.kill('SIGKILL')
    await killed.ended
    // As its statement, which nobody awaits any more.
    const statement = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import pg from ${JSON.stringify(import.meta.resolve('pg'))}
      const client = new pg.Client(${JSON.stringify(ownerUrl)})
      await client.connect()
      await client.query('select pg_sleep(3600)')`,
    ])
    const isRunning = () => query(ownerUrl, `select from pg_stat_activity where query = 'select pg_sleep(3600)'`)
    await eventually('the statement runs', isRunning).toHaveLength(1)
    statement.kill('SIGKILL')
    await once(statement, 'exit')

    const { url, stop } = await start(home)
    await stop()
    await expect(query(url, 'select')).rejects.toThrow('ECONNREFUSED')
  })

  test('waits for a server that is shutting down', async () => {
    await start(home)
    const pid = await serverPid(home)

    process.kill(pid, 'SIGINT')
    const { url } = await start(home)

    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await serverPid(home)).not.toBe(pid)
  })
})

describe('after an accident', () => {
  test('restarts a server killed with -9, with all committed data', async () => {
    const { url } = await start(home, { settings: { shared_buffers: '16MB' } })
    await query(url, 'create table kept_over_a_kill as select 1 as id')

    process.kill(await serverPid(home), 'SIGKILL')
    const next = await start(home)

    expect(await query(next.url, 'select * from kept_over_a_kill')).toEqual([{ id: 1 }])
  })

  test('a running Docket restarts a killed server on the same port, reports it once, and loses nothing', async () => {
    const warn = vi.fn()
    const { url } = await start(home, { settings: { shared_buffers: '16MB' }, log: { warn, error: warn } })
    await query(url, 'create table kept_while_running as select 1 as id')

    process.kill(await serverPid(home), 'SIGKILL')

    await eventually('the server answers again', () => answerOf(url, 'select * from kept_while_running')).toEqual([
      { id: 1 },
    ])
    await eventually('the restart is reported', () => warn.mock.calls).toHaveLength(1)
    expect(warn.mock.lastCall?.[1]).toBe('the embedded database stopped unexpectedly and was started again')
  })

  test('when the server of two processes is killed, one restarts it and both use it', async () => {
    const lines = ['started', 'found'].map((how) => `the embedded database stopped unexpectedly and was ${how} again`)
    const [first, second] = [spawnDocket(home), spawnDocket(home)]
    const [url, otherUrl] = await Promise.all([first.ready(), second.ready()])
    const pid = await serverPid(home)

    process.kill(pid, 'SIGKILL')

    const said = await Promise.all([first.said(...lines), second.said(...lines)])
    expect(said.sort()).toEqual(lines.toSorted())
    expect(otherUrl.split('?')[0]).toBe(url.split('?')[0])
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await serverPid(home)).not.toBe(pid)
  })

  test('a query that continues after its server was killed does not delay the next server', async () => {
    const { url } = await start(home)
    const busy = query(url, 'select count(*) from generate_series(1, 100000000000)').catch(() => 'ended')
    const active = `select from pg_stat_activity where query like '%generate_series%' and state = 'active' and pid <> pg_backend_pid()`
    await eventually('the query runs', () => query(url, active)).toHaveLength(1)

    process.kill(await serverPid(home), 'SIGKILL')

    await eventually('the next server answers', () => answerOf(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await busy).toBe('ended')
  })

  test('a server that Docket itself stops stays down', async () => {
    const warn = vi.fn()
    const { url, stop } = await start(home, { log: { warn, error: warn } })
    await stop()
    await expect(query(url, 'select')).rejects.toThrow('ECONNREFUSED')
    expect(warn).not.toHaveBeenCalled()
  })

  test.each([
    ['names a process that is gone', () => spawnSync(process.execPath, ['--version']).pid],
    ['names a program that now has its number', serverOfAnotherHome],
    ['is empty', () => undefined],
  ])('starts despite a pid file that %s', async (_what, holder) => {
    const data = join(home, 'postgres', 'data')
    const pid = await holder()
    const rest = `${data}\n1767225600\n5432\n\n127.0.0.1\n  1234567         0\nready   \n`
    await writeFile(join(data, 'postmaster.pid'), pid === undefined ? '' : `${pid}\n${rest}`)

    const { url } = await start(home)

    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('an error is one clear line', () => {
  test('with PostgreSQL’s message, when it rejects a setting', async () => {
    await expect(start(home, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      /^PostgreSQL did not start: invalid value for parameter "shared_buffers": "plenty" \(see .*postgres\.log\)$/,
    )
  })

  test('when the password is missing', async () => {
    const ownHome = copiedHome()
    await rm(join(ownHome, 'postgres', 'password'))
    await expect(start(ownHome)).rejects.toThrow(/^The password file of the embedded database is missing\. .*password/)
  })

  test('when the password is wrong, and no server is left running', async () => {
    const ownHome = copiedHome()
    await writeFile(join(ownHome, 'postgres', 'password'), 'another')
    await expect(start(ownHome)).rejects.toThrow('the password kept beside it is not the one it was made with')
    expect(existsSync(join(ownHome, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
  })

  test.runIf(isRoot && canRunNode(NOBODY))('when root made it and another user starts it', async () => {
    await expect(spawnDocket(home, NOBODY).ready()).rejects.toThrow(
      /postgres belongs to another user \(uid 0\): start Docket as that user/,
    )
  })
})

describe.runIf(isRoot)('as root', () => {
  test('runs below a folder that only root may enter, and again when everyone may', async () => {
    const parent = await parentFolder(0o700)
    const ownHome = join(parent, '.docket')
    const closed = await start(ownHome)
    await query(closed.url, 'create table kept (id int)')
    await closed.stop()

    await chmod(parent, 0o755)
    const open = await start(ownHome)
    expect(await query(open.url, 'select * from kept')).toEqual([])
    await open.stop()

    await chmod(parent, 0o700)
    expect(await query((await start(ownHome)).url, 'select * from kept')).toEqual([])
  })

  test('below a folder of another user, stores its data outside, reports where, and finds it again', async () => {
    const parent = await parentFolder(0o755)
    const ownHome = copiedHome(parent)
    const inside = await start(ownHome)
    await query(inside.url, 'create table kept (id int)')
    await inside.stop()

    await chmod(parent, 0o700)
    await chown(parent, NOBODY.uid, NOBODY.gid)
    const lines: string[] = []
    const outside = await start(ownHome, { say: (line) => lines.push(line) })
    const holder = await readFile(join(ownHome, 'postgres', 'location'), 'utf8')
    leftRunning.unshift({ stop: () => rm(holder, { recursive: true }) })

    expect(lines).toEqual([expect.stringContaining(`the database is kept in ${holder}/data`)])
    expect(existsSync(join(ownHome, 'postgres', 'data'))).toBe(false)
    expect(await query(outside.url, 'select * from kept')).toEqual([])
    await outside.stop()
    expect(await query((await start(ownHome)).url, 'select * from kept')).toEqual([])
  })

  test('in another user’s home, runs as that user, who can continue alone', async () => {
    const ownHome = copiedHome()
    for (const name of ['', ...(await readdir(ownHome, { recursive: true }))])
      await chown(join(ownHome, name), NOBODY.uid, NOBODY.gid)

    const { url, stop } = await start(ownHome)
    await query(url, 'create table kept (id int)')
    await stop()

    const owners = await Promise.all(
      (await readdir(ownHome, { recursive: true })).map(async (name) => (await stat(join(ownHome, name))).uid),
    )
    expect(new Set(owners)).toEqual(new Set([NOBODY.uid]))
  })
})

/** Its `url` is the owner's, who may create tables. */
async function start(
  home: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres & { applicationUrl: string }> {
  const database = await startEmbeddedPostgres({ home, settings: SMALL, say: () => undefined, log: SILENT, ...options })
  leftRunning.push(database)
  return { ...database, url: database.ownerUrl, applicationUrl: database.url }
}

async function stopAll() {
  for (const running of leftRunning.splice(0).reverse()) await running.stop()
}

function newHome(parent = playground): string {
  ownHomes += 1
  return join(parent, `home-${ownHomes}`)
}

/** A home with a copied cluster, which is faster than creating one. */
function copiedHome(parent?: string): string {
  const ownHome = newHome(parent)
  cpSync(home, ownHome, { recursive: true })
  return ownHome
}

async function parentFolder(mode: number): Promise<string> {
  const parent = await mkdtemp(join(playground, 'parent-'))
  await chmod(parent, mode)
  return parent
}

/** A process that PostgreSQL may signal, and so takes for its own server. */
async function serverOfAnotherHome(): Promise<number> {
  const ownHome = copiedHome()
  await start(ownHome)
  return serverPid(ownHome)
}

async function serverPid(home: string): Promise<number> {
  return Number.parseInt(await readFile(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10)
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Undefined while the server does not answer. */
function answerOf(url: string, sql: string): Promise<unknown[] | undefined> {
  return query(url, sql).catch(() => undefined)
}

/** Docket in its own process and process group; the end of its input stops it. */
function spawnDocket(home: string, user: { uid?: number; gid?: number } = {}) {
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(MODULE)})
    const say = (line) => console.log(line)
    const log = { warn: (_, line) => console.log(line), error: ({ err }, line) => console.log(line, err) }
    const database = await startEmbeddedPostgres({ home: ${JSON.stringify(home)}, settings: ${JSON.stringify(SMALL)}, say, log })
      .catch((error) => { console.log('failed ' + error.message); process.exit(1) })
    console.log('ready ' + database.ownerUrl)
    process.stdin.resume().on('end', () => database.stop())`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  const said = async (...starts: string[]) => {
    const find = () => lines.find((line) => starts.some((start) => line.startsWith(start)))
    await waitUntil(`a line begins with ${starts.join(' or ')}`, () => find() !== undefined)
    return find() ?? ''
  }
  leftRunning.push({
    stop: () => {
      child.stdin.end()
      return ended
    },
  })

  return {
    said,
    ended,
    /** Signals its whole group, as a terminal does. */
    kill: (signal: NodeJS.Signals) => signalGroup(child, signal),
    ready: async () => {
      const line = await said('ready ', 'failed ')
      if (line.startsWith('failed ')) throw new Error(line)
      return line.slice('ready '.length)
    },
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal)
}

function canRunNode(user: { uid: number; gid: number }): boolean {
  return (
    spawnSync(process.execPath, ['--eval', `require('node:fs').readFileSync(new URL(${JSON.stringify(MODULE)}))`], {
      ...user,
      cwd: '/',
    }).status === 0
  )
}
