import { readdir, readFile } from 'node:fs/promises'

/** /proc counts in hundredths of a second on every Linux that Node runs on. */
const MS_PER_TICK = 10

/** CPU time of a process, in milliseconds: its own, and that of its children that have ended. */
export interface ProcessCpu {
  parent: number
  ownMs: number
  endedChildrenMs: number
}

/** The CPU time of one process with its threads, without its children. Undefined where there is no /proc. */
export async function readOwnCpuMs(pid: number): Promise<number | undefined> {
  return (await readProcess(pid))?.ownMs
}

/** The CPU time of all backends and workers of a PostgreSQL server, also of those that have ended. Undefined where there is no /proc. */
export async function readClusterCpuMs(postmaster: number): Promise<number | undefined> {
  const server = await readProcess(postmaster)
  if (server === undefined) return undefined
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const children = (await Promise.all(pids.map(readProcess))).filter((each) => each?.parent === postmaster)
  return children.reduce((sum, child) => sum + (child?.ownMs ?? 0), server.endedChildrenMs)
}

/** The process that started this one. Undefined where there is no /proc. */
export async function parentOf(pid: number): Promise<number | undefined> {
  return (await readProcess(pid))?.parent
}

async function readProcess(pid: number): Promise<ProcessCpu | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat === undefined ? undefined : parseStat(stat)
}

/** The line of /proc/<pid>/stat. The command, in parentheses, may contain spaces and parentheses itself. */
export function parseStat(line: string): ProcessCpu {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const [parent, userTime, systemTime, childrenUser, childrenSystem] = [1, 11, 12, 13, 14].map((at) =>
    Number(fields[at]),
  )
  const ms = (one = Number.NaN, other = Number.NaN) => (one + other) * MS_PER_TICK
  return {
    parent: parent ?? Number.NaN,
    ownMs: ms(userTime, systemTime),
    endedChildrenMs: ms(childrenUser, childrenSystem),
  }
}
