import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Joined, joinServer } from './join-server.ts'
import { type Launch, launchServer } from './launch-server.ts'
import { ownFolder } from './own-folder.ts'
import { readPassword } from './password.ts'
import { locateDataFolder } from './place.ts'
import { stopPostmaster } from './postmaster.ts'
import { prepareCluster } from './prepare-cluster.ts'
import { ensureDatabase, isUsedByOthers, sessionUrl } from './session.ts'
import { withLock } from './with-lock.ts'

export interface EmbeddedPostgres {
  url: string
  /** Stops the server unless another Docket process still uses it: the last one out turns off the light. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** DOCKET_HOME, absolute. */
  home: string
  /** PostgreSQL settings that go over the defaults; a server that already runs keeps its own. */
  settings?: Record<string, string>
  /** Told what a person waiting at the terminal should know, a line at a time. */
  say: (line: string) => void
}

/** Finds this home's PostgreSQL or starts it, making it first where there is none. Fails with one line fit for a terminal. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { home, settings = {}, say } = options
  const folder = await ownFolder(join(home, 'postgres'))
  const lock = join(folder, 'lock')
  const applicationName = `docket-${randomBytes(4).toString('hex')}`

  return withLock(lock, async () => {
    const dataFolder = await locateDataFolder(folder)
    const password = await readPassword(folder, dataFolder)
    const urlAt = (port: number) => sessionUrl({ applicationName, password, port, database: 'postgres' })

    const { postmaster, session: presence } =
      (await joinServer(dataFolder, urlAt)) ??
      (await launch({ folder, settings, cluster: await prepareCluster({ folder, password, say }) }, urlAt))
    await ensureDatabase(presence)

    return {
      url: sessionUrl({ applicationName, password, port: postmaster.port, database: 'docket' }),
      /** Until then `presence` stays connected: another process on its way out sees it even while our pools are idle. */
      stop: () =>
        withLock(lock, async () => {
          if (!presence.ending) await presence.end()
          const joined = await joinServer(postmaster.dataFolder, urlAt)
          if (joined) await leave(joined)
        }),
    }
  })
}

/** A server that does not let us in after all does not stay behind. */
async function launch(how: Launch, urlAt: (port: number) => string): Promise<Joined> {
  const postmaster = await launchServer(how)
  try {
    const joined = await joinServer(postmaster.dataFolder, urlAt)
    if (!joined) throw new Error('PostgreSQL ended as soon as it had started.')
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
