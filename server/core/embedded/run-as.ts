import { execFile } from 'node:child_process'
import { chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Programs } from './programs.ts'

/** Passes nothing of the caller's environment to PostgreSQL: PGDATA, a locale or a time zone would change the result. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  // Next's types require NODE_ENV in every environment; PostgreSQL does not use it.
} as unknown as NodeJS.ProcessEnv

interface Owner {
  uid: number
  gid: number
}

/** A way to run PostgreSQL's programs, which do not run as root. */
export interface RunAs {
  /** The command-line prefix before the program. */
  wrapper: string[]
  ids: Partial<Owner>
  /** The user who must own its files; undefined if this process can't give files away. */
  owner?: Owner
}

/** The first way that can run `programs` and write below `holder`; undefined if there is none. */
export async function chooseRunAs(holder: string, programs: Programs): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return { wrapper: [], ids: {} }
  for (const way of await waysOfRoot(holder)) {
    if (await works(way, holder, programs)) return way
  }
  return undefined
}

/** The command to spawn to run a program in this way. */
export function invocation({ wrapper, ids }: RunAs, program: string, programArguments: string[]) {
  const [command = program, ...rest] = [...wrapper, program, ...programArguments]
  return { command, arguments: rest, options: { ...ids, cwd: '/', env: ENVIRONMENT } }
}

/** Runs a program to its end; fails with the last line it wrote. */
export async function run(runAs: RunAs, program: string, programArguments: string[]): Promise<void> {
  const { command, arguments: rest, options } = invocation(runAs, program, programArguments)
  await promisify(execFile)(command, rest, options).catch((error) => {
    throw new Error((error.stderr || error.message).trim().split('\n').at(-1))
  })
}

/**
 * 1. the user whose folder it is, so that one `sudo` does not lock that user out
 * 2. an unprivileged user of the system
 * 3. root's own files under another number, for folders only root may enter: inside a user namespace root is not called root
 */
async function waysOfRoot(holder: string): Promise<RunAs[]> {
  const { uid, gid } = await stat(holder)
  const ways: RunAs[] = uid === 0 ? [] : [asUser({ uid, gid })]
  const user = await unprivilegedUser()
  if (user) ways.push(asUser(user), asMapped(user))
  return ways
}

const asUser = (user: Owner): RunAs => ({ wrapper: [], ids: user, owner: user })

const asMapped = ({ uid, gid }: Owner): RunAs => ({
  wrapper: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'],
  ids: {},
  owner: { uid: 0, gid: 0 },
})

/** The user must exist by name: initdb looks up its own user. */
async function unprivilegedUser(): Promise<Owner | undefined> {
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  return account && { uid: Number(account[2]), gid: Number(account[3]) }
}

/** Modes of parent folders, mount options and container policies all matter, so this is tried rather than computed. */
async function works(way: RunAs, holder: string, { postgres }: Programs): Promise<boolean> {
  const probe = await mkdtemp(join(holder, 'making-'))
  try {
    if (way.owner) await chown(probe, way.owner.uid, way.owner.gid)
    await run(way, '/bin/sh', ['-c', 'test -w "$1" && exec "$2" --version', 'sh', probe, postgres])
    return true
  } catch {
    return false
  } finally {
    await rm(probe, { recursive: true })
  }
}
