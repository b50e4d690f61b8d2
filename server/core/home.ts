import { type Database, openDatabase, waitForDatabase } from '#server/core/db.ts'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'
import type { Settings } from '#server/core/env.ts'
import type { Logger } from '#server/core/log.ts'
import { readSecret } from '#server/core/secret.ts'

/** Where one Docket lives: its database, embedded or given, and its secret. */
export interface Home {
  database: Database
  secret: string
  isEmbedded: boolean
  close(): Promise<void>
}

const CONNECTIONS = 16
const DATABASE_WAIT_MS = 15_000

/**
 * Finds the embedded database of this home or starts it, or connects to the given one, which it waits for no longer than
 * 15 seconds. Fails with one clear line.
 */
export async function openHome(settings: Settings, log: Logger, say: (line: string) => void): Promise<Home> {
  const embedded =
    settings.DATABASE_URL === undefined ? await startEmbeddedPostgres({ home: settings.DOCKET_HOME, say }) : undefined
  const database = openDatabase({
    url: settings.DATABASE_URL ?? embedded?.url ?? '',
    connections: CONNECTIONS,
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  const close = async () => {
    await database.close()
    await embedded?.stop()
  }
  try {
    await waitForDatabase(database, DATABASE_WAIT_MS)
    await refuseOlderServer(database)
    await refuseWithoutLetters(database)
    return { database, secret: await readSecret(settings), isEmbedded: embedded !== undefined, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Statements here ask for what a row was before its change, which older servers do not tell. */
const OLDEST_SERVER = 18

async function refuseOlderServer({ pool }: Database): Promise<void> {
  const result = await pool.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  const version = result.rows[0]?.version ?? 0
  if (version < OLDEST_SERVER)
    throw new Error(`The database is PostgreSQL ${version}: Docket needs ${OLDEST_SERVER} or newer`)
}

/** With a plain C character type PostgreSQL knows no letters but ASCII, and search would find nothing in most languages. */
async function refuseWithoutLetters({ pool }: Database): Promise<void> {
  const result = await pool.query<{ knows: boolean }>(`select 'я' ~ '[[:alpha:]]' and lower('Я') = 'я' as knows`)
  if (result.rows[0]?.knows !== true) {
    throw new Error(
      'The database does not know letters beyond ASCII: create it with LC_CTYPE C.UTF-8 or another UTF-8 locale',
    )
  }
}
