import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * Ends the processes that a killed server left behind: each would first finish its query, and no new server starts before that. None of
 * their uncommitted work was acknowledged. On systems other than Linux, waits for them instead.
 */
export async function endOrphans(dataFolder: string): Promise<void> {
  if (process.platform !== 'linux') return
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    if (await isServerProcessOf(dataFolder, pid)) signal(Number(pid))
  }
}

/** All of a server's processes work in its data folder, with a process title that names their task. */
async function isServerProcessOf(dataFolder: string, pid: string): Promise<boolean> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  if (folder !== dataFolder) return false
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return title.startsWith('postgres: ')
}

/** Kills at once, as PostgreSQL does when one of its processes crashes. */
function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    // It has just ended by itself.
  }
}
