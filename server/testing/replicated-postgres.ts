import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openDatabase } from '#server/core/database/open-database.ts'
import { waitForDatabase } from '#server/core/database/wait-for-database.ts'
import { endOrphans } from '#server/core/embedded/end-orphans.ts'
import { findPrograms } from '#server/core/embedded/programs.ts'
import { freePort } from '#server/testing/free-port.ts'
import { NOBODY } from '#server/testing/nobody.ts'
import { WAIT_LIMIT_MS, waitUntil } from '#server/testing/wait-until.ts'

/** Tests only kill processes, never the machine: what the system has in memory stays. */
const SETTINGS = {
  fsync: 'off',
  shared_buffers: '32MB',
  wal_keep_size: '1GB',
  unix_socket_directories: '',
}
/** Belongs to the running server, not to a copy of its data. */
const NOT_COPIED = ['pg_wal/*', 'pg_replslot/*', 'postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf']

/** One of two servers: its port stays the same, its data is replaced. */
interface Server {
  port: number
  data: string
  process: ChildProcess
}

/** A primary and a standby with streaming replication. */
export interface ReplicatedPostgres {
  /** The address of both, the first standby first. */
  url: string
  /** The address of the primary, as long as there was no failover. */
  primaryUrl: string
  standbyUrl: string
  /** The standby gets nothing more from the primary; resolves when a commit waits for it. */
  holdBack(): Promise<void>
  /** Kills the primary with -9. */
  killPrimary(): Promise<void>
  /** The standby becomes the primary; resolves when it accepts writes. */
  promote(): Promise<void>
  /** Starts a standby in the place of the killed server, and waits until it has everything. */
  addStandby(): Promise<void>
  /** The standby applies nothing of what it receives until `resumeReplay`. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  /** Kills the standby with -9; `restartStandby` starts it again with what it had. */
  killStandby(): Promise<void>
  restartStandby(): Promise<void>
  stop(): Promise<void>
}

/** Where it is synchronous, commits wait until the standby has them, as long as there is one. */
export async function startReplicatedPostgres({ isSynchronous = true } = {}): Promise<ReplicatedPostgres> {
  const programs = await findPrograms()
  const folder = await mkdtemp(path.join(tmpdir(), 'docket-replicated-'))
  await chmod(folder, 0o755)
  // PostgreSQL doesn't run as root.
  const runAs = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const run = (program: string, given: string[]) => promisify(execFile)(program, given, { ...runAs, cwd: folder })
  const running = new Set<ChildProcess>()
  let copies = 0
  let stoppedSender: number | undefined

  async function newFolder(): Promise<string> {
    copies += 1
    const data = path.join(folder, `data-${copies}`)
    await mkdir(data, { mode: 0o700 })
    if (runAs.uid !== undefined) await chown(data, NOBODY, NOBODY)
    return data
  }

  /** Ready for sessions. `source` is the port of the primary that it follows. */
  async function start(port: number, data: string, source?: number): Promise<Server> {
    const settings = {
      ...SETTINGS,
      port: String(port),
      ...(source !== undefined && { primary_conninfo: `host=127.0.0.1 port=${source} user=docket` }),
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(programs.postgres, ['-D', data, ...flags], { ...runAs, cwd: data, stdio: 'ignore' })
    running.add(child)
    child.once('exit', () => running.delete(child))
    const database = openDatabase({ url: urlOf(port), connections: 1, onError: () => {} })
    await waitForDatabase(database, WAIT_LIMIT_MS).finally(() => database.close())
    return { port, data, process: child }
  }

  /** As pg_basebackup does, which the package doesn't contain. */
  async function copyOf({ port, data }: Server): Promise<string> {
    const copy = await newFolder()
    await withClient(port, async (client) => {
      await client.query(`select pg_backup_start('standby', true)`)
      // The log puts right what changes while it copies.
      const left = NOT_COPIED.map((name) => `--exclude='./${name}'`).join(' ')
      await run('/bin/sh', ['-c', `tar -C '${data}' ${left} -cf - . 2>/dev/null | tar -C '${copy}' -xf -`])
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
      for (const [name, text] of Object.entries({
        backup_label: rows[0]?.labelfile ?? '',
        'standby.signal': '',
        'postgresql.auto.conf': '',
      })) {
        await writeFile(path.join(copy, name), text)
        if (runAs.uid !== undefined) await chown(path.join(copy, name), NOBODY, NOBODY)
      }
    })
    return copy
  }

  async function standbyOf(primary: Server, port: number): Promise<Server> {
    const standby = await start(port, await copyOf(primary), primary.port)
    if (!isSynchronous) return standby
    await withClient(primary.port, async (client) => {
      await client.query(`alter system set synchronous_standby_names = '*'`)
      await client.query('select pg_reload_conf()')
      // From now on commits wait. What was committed before may not be there yet.
      await until(client, `select from pg_stat_replication where sync_state = 'sync'`)
      const { rows } = await client.query<{ position: string }>('select pg_current_wal_lsn() as position')
      await until(client, `select from pg_stat_replication where flush_lsn >= '${rows[0]?.position}'`)
    })
    return standby
  }

  async function kill({ process: child, data }: Server): Promise<void> {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    if (stoppedSender !== undefined) process.kill(stoppedSender, 'SIGKILL')
    stoppedSender = undefined
    await endOrphans(data)
  }

  async function remove({ data }: Server): Promise<void> {
    await rm(data, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
  }

  async function stop(): Promise<void> {
    await Promise.all(
      [...running].map(async (child) => {
        const exited = once(child, 'exit')
        child.kill('SIGQUIT')
        await exited
      }),
    )
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
  }

  try {
    const data = await newFolder()
    const options = ['--pgdata', data, '--username=docket', '--auth=trust', '--encoding=UTF8', '--no-sync']
    await run(programs.initdb, [...options, '--locale-provider=libc', '--locale=C.UTF-8'])
    let primary = await start(await freePort(), data)
    let standby = await standbyOf(primary, await freePort())
    return {
      url: `postgres://docket@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`,
      holdBack: () =>
        withClient(primary.port, async (client) => {
          const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_replication')
          if (rows[0] === undefined) throw new Error('there is no standby')
          stoppedSender = rows[0].pid
          process.kill(stoppedSender, 'SIGSTOP')
          await until(client, `select from pg_stat_activity where wait_event = 'SyncRep'`)
        }),
      primaryUrl: urlOf(primary.port),
      standbyUrl: urlOf(standby.port),
      killPrimary: async () => {
        await kill(primary)
        await remove(primary)
      },
      promote: async () => {
        await withClient(standby.port, (client) => client.query('select pg_promote()'))
        const { port } = primary
        primary = standby
        standby = { ...primary, port }
      },
      addStandby: async () => {
        standby = await standbyOf(primary, standby.port)
      },
      pauseReplay: () => withClient(standby.port, (client) => client.query('select pg_wal_replay_pause()')),
      resumeReplay: () => withClient(standby.port, (client) => client.query('select pg_wal_replay_resume()')),
      killStandby: () => kill(standby),
      restartStandby: async () => {
        standby = await start(standby.port, standby.data, primary.port)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const urlOf = (port: number) => `postgres://docket@127.0.0.1:${port}/postgres`

async function withClient(port: number, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(urlOf(port))
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}

async function until(client: pg.Client, question: string): Promise<void> {
  await waitUntil(`a row answers ${question}`, async () => (await client.query(question)).rowCount !== 0)
}
