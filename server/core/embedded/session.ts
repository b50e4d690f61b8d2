import { Pool } from 'pg'

const CONNECT_TIMEOUT_MS = 10_000

/** Every session of a Docket process carries its `docket-…` name, so that the last one to exit knows it is the last. */
export function sessionUrl(session: {
  applicationName: string
  user: string
  password: string
  port: number
  database: 'docket' | 'postgres'
}): string {
  const { applicationName, user, password, port, database } = session
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}?application_name=${applicationName}`
}

/** One session, open until it is ended; it does not keep the process alive by itself. */
export async function openSession(url: string): Promise<Pool> {
  const session = new Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // The next query replaces a session that breaks while idle; without a listener the event would end the process.
  session.on('error', () => undefined)
  try {
    await session.query('select')
    return session
  } catch (error) {
    await session.end()
    throw error
  }
}

/** An idle connection that shows this process's presence to others; `ended` resolves when it breaks. It does not keep the process alive. */
export interface Presence {
  ended: Promise<void>
  end(): Promise<void>
}

export async function openPresence(url: string): Promise<Presence> {
  const session = await openSession(url)
  const ended = Promise.withResolvers<void>()
  session.once('remove', () => ended.resolve())
  return {
    ended: ended.promise,
    end: async () => {
      // Resolves now: the connection does not keep the process alive, so its own end could come too late.
      ended.resolve()
      if (!session.ending) await session.end()
    },
  }
}

/** Checked on every start: a first run may have ended between creating the cluster and creating the database. */
export async function ensureDatabase(session: Pool): Promise<void> {
  const { rowCount } = await session.query(`select from pg_database where datname = 'docket'`)
  if (rowCount === 0) await session.query('create database docket')
}

/** How long an ended session may still be listed: longer than PostgreSQL takes to find that its process is gone (`launch-server.ts`). */
const LINGERS_MS = 2_000
const LOOK_EVERY_MS = 50

/** Whether another Docket process is connected; sessions under this process's own name end with it. */
export async function isUsedByOthers(session: Pool): Promise<boolean> {
  const deadline = Date.now() + LINGERS_MS
  for (;;) {
    const { rowCount } = await session.query(
      `select from pg_stat_activity
       where starts_with(application_name, 'docket-') and application_name <> current_setting('application_name')`,
    )
    if (rowCount === 0) return false
    if (Date.now() > deadline) return true
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
