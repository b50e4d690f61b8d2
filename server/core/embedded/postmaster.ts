import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Crash recovery of a large database takes minutes; beyond this, something is wrong. */
const READY_TIMEOUT_MS = 10 * 60_000
const STOP_TIMEOUT_MS = 2 * 60_000
const POLL_MS = 20

/** PostgreSQL's main process, ready for sessions. */
export interface Postmaster {
  pid: number
  port: number
  dataFolder: string
}

/** The server on this data folder, awaited while it starts or stops; undefined if none runs. */
export async function findPostmaster(dataFolder: string): Promise<Postmaster | undefined> {
  const { pid } = await readPidFile(dataFolder)
  if (pid === undefined) return undefined
  return untilReady({ dataFolder, pid, isRunning: () => isPostmasterOf(dataFolder, pid) })
}

interface Candidate {
  dataFolder: string
  pid: number
  isRunning: () => Promise<boolean> | boolean
}

/** Undefined if the process has ended instead. */
export async function untilReady({ dataFolder, pid, isRunning }: Candidate): Promise<Postmaster | undefined> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (await isRunning()) {
    const file = await readPidFile(dataFolder)
    if (file.pid === pid && file.status === 'ready' && file.port !== undefined) {
      return { pid, port: file.port, dataFolder }
    }
    if (Date.now() > deadline) {
      throw new Error(`The embedded database (process ${pid}) has been starting or stopping for too long.`)
    }
    await sleep(POLL_MS)
  }
  return undefined
}

/** A fast shutdown: sessions end, and everything is written to disk. */
export async function stopPostmaster({ dataFolder, pid }: Postmaster): Promise<void> {
  if (!(await isPostmasterOf(dataFolder, pid))) return
  process.kill(pid, 'SIGINT')

  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (await isPostmasterOf(dataFolder, pid)) {
    if (Date.now() > deadline) throw new Error(`The embedded database (process ${pid}) did not stop in time.`)
    await sleep(POLL_MS)
  }
}

/**
 * Removes a stale pid file that PostgreSQL cannot handle: one that is empty after a power loss, or whose pid now belongs to another
 * program. PostgreSQL handles a file whose pid has no process itself, using its shared memory too.
 */
export async function removeStalePidFile(dataFolder: string): Promise<void> {
  const { pid } = await readPidFile(dataFolder)
  const isForeign = pid !== undefined && isAlive(pid) && !(await isPostmasterOf(dataFolder, pid))
  if (pid === undefined || isForeign) await rm(join(dataFolder, 'postmaster.pid'), { force: true })
}

/** Reads `postmaster.pid`. Its lines: pid, data folder, start time, port, socket folder, address, shared memory, status. */
async function readPidFile(dataFolder: string): Promise<{ pid?: number; port?: number; status?: string }> {
  const text = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const [pid, , , port, , , , status] = text.split('\n')
  return { pid: Number(pid) || undefined, port: Number(port) || undefined, status: status?.trim() }
}

/** Checks the command line, as the pid in the file outlives its process and is reused; a dead process has no command line. */
async function isPostmasterOf(dataFolder: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return commandLine.includes(`\0-D\0${dataFolder}\0`)
  }
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]).catch(() => ({
    stdout: '',
  }))
  return stdout.includes(` -D ${dataFolder} `)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
