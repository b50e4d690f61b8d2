import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { hostAddresses } from '#server/core/database/database-address.ts'
import {
  APPLICATION_NAME,
  connectTo,
  DatabaseClient,
  STATEMENT_LIMIT_MS,
} from '#server/core/database/database-client.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { directOptions } from '#server/core/database/listen.ts'
import { type Database, SESSION_SETTINGS } from '#server/core/database/open-database.ts'
import { retryWhileUnavailable } from '#server/core/database/wait-for-database.ts'

/** What a role has instead of the settings that a pooler would reject or lose. */
const ROLE_SETTINGS = { ...SESSION_SETTINGS, statement_timeout: `${STATEMENT_LIMIT_MS / 1_000}s` }
const INSUFFICIENT_PRIVILEGE = '42501'
const VERIFIES_WITHIN_MS = 5_000
const NOTIFICATION_TIMEOUT_MS = 5_000

/** Rethrows a connection's error as one line that names the setting if a pooler rejected it. */
export function throwExplained(error: unknown): never {
  if (error instanceof Error && error.message.includes('unsupported startup parameter'))
    throw new Error(
      'A pooler rejects the settings of a connection: DATABASE_DIRECT_URL must point to the database itself.',
      { cause: error },
    )
  throw error
}

/**
 * Gives the role in `url` its settings in this database, on a connection past the pooler, once the schema exists. Where they weren't set yet,
 * Docket's idle connections are closed, as sessions keep what they began with: those that the pooler last used for Docket. Returns how many. Other
 * programs with the same role keep theirs. Without the right to do so nothing happens: `verifySettings` finds out.
 */
export async function setRoleSettings(direct: Pool, url: string): Promise<number> {
  const address = new URL(hostAddresses(url)[0])
  const role = decodeURIComponent(address.username)
  const client = await direct.connect()
  try {
    // Loads the extension: only then everybody may set its setting.
    await client.query(`select show_trgm('')`)
    const { rows } = await client.query<{ database: string; isSet: boolean }>(
      `select current_database() as database, coalesce((
         select s.setconfig @> $2::text[] from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
         join pg_database d on d.oid = s.setdatabase where r.rolname = $1 and d.datname = current_database()), false) as "isSet"`,
      [role, Object.entries(ROLE_SETTINGS).map(([name, value]) => `${name}=${value}`)],
    )
    const [{ database, isSet } = { database: '', isSet: true }] = rows
    if (isSet) return 0
    for (const [name, value] of Object.entries(ROLE_SETTINGS)) {
      const which = `role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`
      await client.query(`alter ${which} set ${name} = ${pg.escapeLiteral(value)}`)
    }
    const closed = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = $1 and state = 'idle' and pid <> pg_backend_pid()
         and starts_with(application_name, $2)`,
      // A pooler may add the client's address to the name.
      [role, address.searchParams.get('application_name') ?? APPLICATION_NAME],
    )
    return closed.rows.length
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)) throw error
    return 0
  } finally {
    client.release()
  }
}

/** Throws an error with one line that names the settings which sessions don't have, and what to do. */
export async function verifySettings(pool: Pool): Promise<void> {
  const wanted = Object.entries(pool.directUrl === undefined ? SESSION_SETTINGS : ROLE_SETTINGS)
  const deadline = performance.now() + VERIFIES_WITHIN_MS
  for (;;) {
    // A connection that `setRoleSettings` closed may be the first to be used.
    const { rows } = await retryWhileUnavailable(VERIFIES_WITHIN_MS, () =>
      pool.query<{ is: (string | null)[] }>(
        `select array(select current_setting(name, true) from unnest($1::text[]) with ordinality as s(name, position)
           order by position) as is`,
        [wanted.map(([name]) => name)],
      ),
    )
    const wrong = wanted.filter(([, value], index) => rows[0]?.is[index] !== value)
    if (wrong.length === 0) return
    if (pool.directUrl === undefined || performance.now() > deadline) throw new Error(wrongSettings(pool, wrong))
    await sleep(100)
  }
}

function wrongSettings({ directUrl }: Pool, wrong: [string, string][]): string {
  const settings = wrong.map(([name, value]) => `${name} = '${value}'`).join(', ')
  return directUrl === undefined
    ? `The database ignores the settings of a connection (${settings}). If DATABASE_URL leads to a pooler, set DATABASE_DIRECT_URL to the database itself.`
    : `The pooler's sessions lack ${settings}. Set these for the role in DATABASE_URL (alter role … set …), then have the pooler reconnect (RECONNECT).`
}

/**
 * Has statements prepared by name if the pooler keeps track of names, as PgBouncer does from 1.21 on: it then gives them names of its own.
 * Through any other pooler a name would be missing, or stand for something else, on the next connection.
 */
export async function nameStatementsIfKept(database: Pick<Database, 'nameStatements'>, url: string): Promise<void> {
  const name = `docket_${randomBytes(6).toString('hex')}`
  const client = new DatabaseClient(connectTo(url))
  await client.connect()
  try {
    const kept = await client.query({ name, text: `select 1 from pg_prepared_statements where name = '${name}'` })
    if (kept.rowCount === 0) database.nameStatements()
  } finally {
    await client.end()
  }
}

/** Resolves once this process has received its own notification: from then on it receives those of others. */
export async function awaitOwnNotification(pool: Pool, withinMs = NOTIFICATION_TIMEOUT_MS): Promise<void> {
  const channel = `docket_${randomBytes(6).toString('hex')}`
  const heard = Promise.withResolvers<void>()
  // Awaited below: an error before that must not end the process.
  heard.promise.catch(() => {})
  const client = new DatabaseClient(directOptions(pool))
  client.on('error', heard.reject)
  client.on('notification', () => heard.resolve())
  await client.connect()
  const timer = setTimeout(() => heard.reject(new Error(NOT_RECEIVED)), withinMs)
  try {
    await client.query(`listen ${channel}`)
    await Promise.all([pool.query(`notify ${channel}`), heard.promise])
  } finally {
    clearTimeout(timer)
    await client.end()
  }
}

const NOT_RECEIVED =
  'A notification sent through DATABASE_URL was not received. Behind a pooler, DATABASE_DIRECT_URL must point to the same database directly.'
