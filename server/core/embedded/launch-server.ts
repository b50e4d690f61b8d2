import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { choosePort } from './choose-port.ts'
import { endOrphans } from './end-orphans.ts'
import type { Postmaster } from './postmaster.ts'
import { findPostmaster, removeStalePidFile, untilReady } from './postmaster.ts'
import type { Cluster } from './prepare-cluster.ts'
import { invocation } from './run-as.ts'

/** For a laptop or a small server with two cores and a solid-state disk that PostgreSQL shares with other programs. */
const DEFAULT_SETTINGS = {
  max_connections: '100',
  // A decision locks up to some 90 tables and indexes. PostgreSQL 18 keeps so many locks apart from those of others, which costs less.
  max_locks_per_transaction: '256',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  // One query on both cores leaves none for the desk, and parallel hash tables outgrow the 64 MB of a container's /dev/shm.
  max_parallel_workers_per_gather: '1',
  random_page_cost: '1.1',
  jit: 'off',
  // A session ends soon after its process has died, also in the middle of a statement: the last process to exit sees that it is the last.
  client_connection_check_interval: '500ms',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  log_checkpoints: 'off',
  // Before it recovers from a kill it syncs its files to disk: at once, not one by one for some 1,500 files.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
}

const PATIENCE_MS = 60_000
const RETRY_MS = 250
const LOG_LIMIT_BYTES = 10_000_000

/** The last processes of a killed server, which would first finish their query. */
const ORPHANS_LEFT = /pre-existing shared memory block/
/** Errors that another attempt can fix: a port taken in between, and a server whose starter was killed before it was ready. */
const PASSING_FAILURES = /Address already in use|lock file "postmaster.pid" already exists/

export interface Launch {
  folder: string
  settings: Record<string, string>
  cluster: Cluster
  /** The port where running processes look for it; if undefined, one is chosen. */
  port?: number | undefined
}

/** Starts the server as a separate process that survives Ctrl-C at our terminal and our own exit. */
export async function launchServer({ folder, settings, cluster, port }: Launch): Promise<Postmaster> {
  const logPath = join(folder, 'postgres.log')
  const launch = async () =>
    launchOnce(cluster, { settings, logPath, port: port ?? (await choosePort(cluster.dataFolder)) })
  await removeStalePidFile(cluster.dataFolder)
  await rotate(logPath)

  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const outcome = (await findPostmaster(cluster.dataFolder)) ?? (await launch())
    if ('pid' in outcome) return outcome
    const areOrphansLeft = ORPHANS_LEFT.test(outcome.log)
    if (areOrphansLeft) await endOrphans(cluster.dataFolder)
    if (Date.now() > deadline || !(areOrphansLeft || PASSING_FAILURES.test(outcome.log))) {
      throw new Error(`PostgreSQL did not start: ${lastWords(outcome.log)} (see ${logPath})`)
    }
    await sleep(RETRY_MS)
  }
}

async function launchOnce(
  { runAs, programs, dataFolder }: Cluster,
  { settings, logPath, port }: { settings: Record<string, string>; logPath: string; port: number },
): Promise<Postmaster | { log: string }> {
  const flags = Object.entries({
    ...DEFAULT_SETTINGS,
    ...settings,
    listen_addresses: '127.0.0.1',
    port: `${port}`,
    // A socket path is limited to 107 bytes; the path of a home may be longer.
    unix_socket_directories: '',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { command, arguments: rest, options } = invocation(runAs, programs.postgres, ['-D', dataFolder, ...flags])

  const log = await open(logPath, 'a', 0o600)
  try {
    if (runAs.owner) await log.chown(runAs.owner.uid, runAs.owner.gid)
    const { size: before } = await log.stat()
    const server = spawn(command, rest, { ...options, detached: true, stdio: ['ignore', log.fd, log.fd] })
    await once(server, 'spawn')
    server.unref()
    const isRunning = () => server.exitCode === null && server.signalCode === null
    const postmaster = server.pid && (await untilReady({ dataFolder, pid: server.pid, isRunning }))
    return postmaster || { log: (await readFile(logPath)).subarray(before).toString() }
  } finally {
    await log.close()
  }
}

/** The line with the reason: hints follow it, and a time stamp precedes it. */
function lastWords(log: string): string {
  const lines = log.trim().split('\n')
  const line = lines.findLast((candidate) => /FATAL|PANIC/.test(candidate)) ?? lines.at(-1)
  return line?.replace(/^.*?(FATAL|PANIC): +/, '') || 'it wrote nothing'
}

async function rotate(logPath: string): Promise<void> {
  const size = await stat(logPath).then(
    (found) => found.size,
    () => 0,
  )
  if (size > LOG_LIMIT_BYTES) await rename(logPath, `${logPath}.old`)
}
