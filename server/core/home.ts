import { createHash } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { hostAddresses } from '#server/core/database/database-address.ts'
import { connectTo } from '#server/core/database/database-client.ts'
import { type DatabaseClock, startDatabaseClock } from '#server/core/database/database-clock.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { type Database, openDatabase, SESSION_OPTIONS } from '#server/core/database/open-database.ts'
import { nameStatementsIfKept, setRoleSettings, throwExplained, verifySettings } from '#server/core/database/pooler.ts'
import { retryWhileUnavailable, waitForDatabase } from '#server/core/database/wait-for-database.ts'
import { withGrants } from '#server/core/embedded/application-role.ts'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'
import type { Settings } from '#server/core/env.ts'
import type { Logger } from '#server/core/log.ts'
import { runSteps } from '#server/core/run-steps.ts'
import { readSecret } from '#server/core/secret.ts'

/** Where one Docket lives: its database, embedded or given, and its secret. */
export interface Home {
  database: Database
  /** The single clock of this home. */
  clock: DatabaseClock
  secret: string
  isEmbedded: boolean
  /**
   * Runs `work`, which may change the schema, on connections that are closed afterwards: to the embedded database as the owner of its
   * tables, to a given one as the user in DATABASE_URL or DATABASE_DIRECT_URL.
   */
  asOwner<Result>(work: (owner: Pool) => Promise<Result>): Promise<Result>
  /** Where the head of this database's audit log is stored, outside the database. */
  auditHeadFile: string
  close(): Promise<void>
}

/** A connection with prepared statements and loaded table metadata is several times faster than a new one. */
export const POOL_SIZE = { connections: 16, keptConnections: 8 }
/** One migrates, and one watches whether that blocks others. */
const OWNER_CONNECTIONS = 2
const DATABASE_WAIT_MS = 15_000

/**
 * Finds or starts the embedded database of this home, or connects to the given one, waiting at most 15 seconds. Fails with a one-line
 * message.
 */
export async function openHome(settings: Settings, log: Logger, say: (line: string) => void): Promise<Home> {
  const embedded =
    settings.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({ home: settings.DOCKET_HOME, say, log })
      : undefined
  const url = settings.DATABASE_URL ?? embedded?.url ?? ''
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const database = openDatabase({
    url,
    directUrl: settings.DATABASE_DIRECT_URL,
    ...POOL_SIZE,
    keepsReadsApart: true,
    onError,
  })
  let clock: DatabaseClock | undefined
  const close = async () => {
    await runSteps([() => clock?.stop(), () => database.close(), () => embedded?.stop()])
  }
  try {
    await waitForDatabase(database, DATABASE_WAIT_MS).catch(throwExplained)
    // Another process that starts may end sessions of this one (setRoleSettings).
    await patiently(() =>
      settings.DATABASE_DIRECT_URL === undefined ? verifySettings(database.pool) : nameStatementsIfKept(database, url),
    )
    clock = await patiently(() => startDatabaseClock(database.pool, log))
    await patiently(() => assertServerVersion(database))
    await patiently(() => assertLetterClasses(database))
    const secret = await readSecret(settings)
    const asOwner: Home['asOwner'] = (work) => {
      if (embedded) return withOwner(embedded.ownerUrl, onError, (owner) => withGrants(owner, work))
      if (settings.DATABASE_DIRECT_URL === undefined) return withOwner(url, onError, work)
      return withOwner(settings.DATABASE_DIRECT_URL, onError, async (owner) => {
        const result = await work(owner)
        const closed = await setRoleSettings(owner, url)
        if (closed > 0)
          say(
            `Closed ${closed} idle connections of Docket, so that they begin again with the new settings of the role in DATABASE_URL`,
          )
        await verifySettings(database.pool)
        return result
      })
    }
    return {
      database,
      clock,
      secret,
      isEmbedded: embedded !== undefined,
      asOwner,
      auditHeadFile: auditHeadFile(settings),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** How long a start waits for a database that is unavailable, has no connection left, or does not answer yet. */
export function patiently<Result>(act: () => Promise<Result>): Promise<Result> {
  return retryWhileUnavailable(DATABASE_WAIT_MS, act)
}

async function withOwner<Result>(
  url: string,
  onError: (error: Error) => void,
  work: (owner: Pool) => Promise<Result>,
): Promise<Result> {
  // A migration may take long.
  const owner = new pg.Pool({ ...connectTo(url), query_timeout: 0, max: OWNER_CONNECTIONS, options: SESSION_OPTIONS })
  owner.on('error', onError)
  try {
    return await work(owner).catch(throwExplained)
  } finally {
    await owner.end()
  }
}

/** One home may use several databases over time: each has its own file, named after the location in the settings. */
function auditHeadFile({ DOCKET_HOME, DATABASE_URL }: Settings): string {
  if (DATABASE_URL === undefined) return path.join(DOCKET_HOME, 'audit-head.json')
  const addresses = hostAddresses(DATABASE_URL).map((address) => new URL(address))
  const hosts = addresses.map(({ host }) => host).join(',')
  const name = createHash('sha256').update(`${hosts}${addresses[0]?.pathname}`).digest('hex').slice(0, 12)
  return path.join(DOCKET_HOME, `audit-head-${name}.json`)
}

/** The oldest version that the tests run on. */
const OLDEST_SERVER = 16

async function assertServerVersion({ pool }: Database): Promise<void> {
  const result = await pool.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  const version = result.rows[0]?.version ?? 0
  if (version < OLDEST_SERVER)
    throw new Error(`The database runs PostgreSQL ${version}. Docket needs version ${OLDEST_SERVER} or newer.`)
}

/** With a plain C character type PostgreSQL only knows ASCII letters, and search would find nothing in most languages. */
async function assertLetterClasses({ pool }: Database): Promise<void> {
  const result = await pool.query<{ knows: boolean }>(`select 'я' ~ '[[:alpha:]]' and lower('Я') = 'я' as knows`)
  if (result.rows[0]?.knows !== true) {
    throw new Error(
      'The database locale supports only ASCII letters. Create the database with LC_CTYPE C.UTF-8 or another UTF-8 locale.',
    )
  }
}
