import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '#server/core/log.ts'
import { APPLICATION_ROLE, applicationPassword, ensureApplicationRole } from './application-role.ts'
import { locateDataFolder } from './data-location.ts'
import { type Joined, joinServer } from './join-server.ts'
import { keepRunning } from './keep-running.ts'
import { type Launch, launchServer } from './launch-server.ts'
import { ownFolder } from './own-folder.ts'
import { readPassword } from './password.ts'
import { stopPostmaster } from './postmaster.ts'
import { type Cluster, prepareCluster } from './prepare-cluster.ts'
import { ensureDatabase, isUsedByOthers, openPresence, sessionUrl } from './session.ts'
import { withLock } from './with-lock.ts'

/** The superuser, created with the cluster: it owns the tables, and no server connects as it. */
const OWNER = 'docket'

export interface EmbeddedPostgres {
  /** As the application, which may only change rows. */
  url: string
  /** As the owner of all tables: only for migrations and short tasks. */
  ownerUrl: string
  /** Stops the server unless another Docket process still uses it. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** DOCKET_HOME, absolute. */
  home: string
  /** PostgreSQL settings that override the defaults; a running server keeps its own. */
  settings?: Record<string, string>
  /** Called with each line that a person at the terminal should see. */
  say: (line: string) => void
  /** Called when the server ended by itself, with the result of the restart. */
  log: Pick<Logger, 'warn' | 'error'>
}

/**
 * Finds this home's PostgreSQL or starts it, creating it on the first start, and restarts it whenever it ends by itself. Fails with a
 * one-line message for the terminal.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { home, settings = {}, say, log } = options
  const folder = await ownFolder(join(home, 'postgres'))
  const lock = join(folder, 'lock')
  const applicationName = `docket-${randomBytes(4).toString('hex')}`

  return withLock(lock, async () => {
    const dataFolder = await locateDataFolder(folder)
    const password = await readPassword(folder, dataFolder)
    const asOwner = { applicationName, user: OWNER, password }
    const asApplication = { applicationName, user: APPLICATION_ROLE, password: applicationPassword(password) }
    const ownerUrlAt = (port: number) => sessionUrl({ ...asOwner, port, database: 'postgres' })

    let cluster: Cluster | undefined

    async function findOrLaunch(port?: number): Promise<Joined & { wasStarted: boolean }> {
      const joined = await joinServer(dataFolder, ownerUrlAt)
      if (joined) return { ...joined, wasStarted: false }
      const isRestart = port !== undefined
      if (isRestart && !existsSync(dataFolder)) throw new Error(`Its data is missing from ${dataFolder}.`)
      // Reuses what the first start found out about this machine, as a restart must be fast.
      cluster ??= await prepareCluster({ folder, password, say })
      return { ...(await launch({ folder, settings, cluster, port }, ownerUrlAt)), wasStarted: true }
    }

    const bePresent = (port: number) => openPresence(sessionUrl({ ...asApplication, port, database: 'postgres' }))

    const { postmaster, session } = await findOrLaunch()
    const { port } = postmaster
    try {
      await ensureDatabase(session)
      await ensureApplicationRole(session, asApplication.password)
    } finally {
      await session.end()
    }
    const supervisor = keepRunning({
      presence: await bePresent(port),
      restart: (stopping) =>
        withLock(lock, async () => {
          stopping.throwIfAborted()
          const { postmaster: found, session, wasStarted } = await findOrLaunch(port)
          await session.end()
          if (found.port !== port)
            throw new Error(`It now runs on port ${found.port} instead of ${port}. Restart Docket.`)
          return { presence: await bePresent(port), wasStarted }
        }),
      log,
    })

    return {
      url: sessionUrl({ ...asApplication, port, database: 'docket' }),
      ownerUrl: sessionUrl({ ...asOwner, port, database: 'docket' }),
      /** Keeps one presence connection until then: another process that exits sees it even while our pools are idle. */
      stop: async () => {
        await supervisor.stop()
        await withLock(lock, async () => {
          const joined = await joinServer(postmaster.dataFolder, ownerUrlAt)
          if (joined) await leave(joined)
        })
      },
    }
  })
}

/** Stops a server that then rejects our connection. */
async function launch(how: Launch, urlAt: (port: number) => string): Promise<Joined> {
  const postmaster = await launchServer(how)
  try {
    const joined = await joinServer(postmaster.dataFolder, urlAt)
    if (!joined) throw new Error('PostgreSQL exited right after it started.')
    return joined
  } catch (error) {
    await stopPostmaster(postmaster)
    throw error
  }
}

async function leave({ postmaster, session }: Joined): Promise<void> {
  const staysOn = await isUsedByOthers(session)
  await session.end()
  if (!staysOn) await stopPostmaster(postmaster)
}
