import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { connectTo, DatabaseClient, STATEMENT_LIMIT_MS } from '#server/core/database/database-client.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { READ_TYPES } from '#server/core/database/read-values.ts'
import { SHARED } from '#server/core/database/shared-connections.ts'
import { statementName } from '#server/core/database/statement-names.ts'
import { PrismaClient } from '#server/core/prisma/client.ts'

export interface Database {
  pool: Pool
  /** Names statements from now on, which PostgreSQL then prepares once per connection. On from the start, but for a pooler. */
  nameStatements(): void
  /** For the sign-in library and for tests. It shares the pool, but never takes part in a transaction of `inTransaction`. */
  prisma: PrismaClient
  close(): Promise<void>
}

/**
 * What every session has set. Statements here are short and frequent: JIT compilation of one that the planner expects to be long costs more
 * than it saves. The lower trigram threshold allows for misspellings: a missing letter and a doubled one leave "prichard" little in common
 * with "Pritchard".
 */
export const SESSION_SETTINGS = { timezone: 'UTC', jit: 'off', 'pg_trgm.word_similarity_threshold': '0.5' }
export const SESSION_OPTIONS = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

interface PoolOptions {
  url: string
  connections: number
  /** How many of the connections stay open while nothing uses them; none by default. */
  keptConnections?: number
  /** How long a new connection may take, and how long to wait for a free one. */
  connectTimeoutMs?: number
  /** Receives errors of idle connections that broke; the pool replaces them. */
  onError: (error: Error) => void
}

interface DatabaseOptions extends PoolOptions {
  /** Given where `url` leads to a pooler: it leads past that. */
  directUrl?: string | undefined
  /** Two of the connections are for the reads that share them, and stay open as well. Otherwise these reads take any connection. */
  keepsReadsApart?: boolean
}

export function openDatabase({ directUrl, keepsReadsApart = false, ...options }: DatabaseOptions): Database {
  const open = (size: { connections: number; keptConnections?: number }) =>
    openPool({ ...options, ...size, isPooled: directUrl !== undefined })
  const rest = open({ connections: options.connections - (keepsReadsApart ? SHARED : 0) })
  const reads = keepsReadsApart ? open({ connections: SHARED, keptConnections: SHARED }) : undefined
  const pools = [rest.pool, ...(reads ? [reads.pool] : [])]
  for (const one of pools)
    one.on('release', (_error, client) => {
      if (client instanceof DatabaseClient && client.isLate) for (const each of pools) giveUpIdle(each)
    })
  const pool: Pool = Object.assign(rest.pool, { directUrl, reads: reads?.pool })
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql: text }) => statementName(text) }),
  })
  return {
    pool,
    nameStatements: () => {
      rest.nameStatements()
      reads?.nameStatements()
    },
    prisma,
    close: async () => {
      await prisma.$disconnect()
      await Promise.all([pool.end(), reads?.pool.end()])
    },
  }
}

/** Connections to one server with the settings of every session; `isPooled` where the address leads to a pooler. */
export function openPool(options: PoolOptions & { isPooled: boolean }): { pool: pg.Pool; nameStatements(): void } {
  const naming = { isOn: false }
  const pool = new pg.Pool({
    ...connectTo(options.url),
    max: options.connections,
    min: options.keptConnections ?? 0,
    ...(options.connectTimeoutMs !== undefined && { connectionTimeoutMillis: options.connectTimeoutMs }),
    // A pooler accepts no settings with a connection: there the role has them (pooler.ts).
    ...(options.isPooled
      ? { Client: clientOfPooler(naming) }
      : { statement_timeout: STATEMENT_LIMIT_MS, options: SESSION_OPTIONS }),
    pipeline: true,
    types: READ_TYPES,
  })
  pool.on('error', options.onError)
  // PgBouncer keeps a time zone for each of its clients, which it takes from its first connection to the server: the role's doesn't count.
  if (options.isPooled) pool.on('connect', (client) => void client.query(`set timezone = 'UTC'`).catch(() => {}))
  return {
    pool,
    nameStatements: () => {
      naming.isOn = true
    },
  }
}

/** Closes what is idle: the next statement of each would wait for an answer as long as the one that got none. */
function giveUpIdle(pool: pg.Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle -= 1)
    pool.connect().then(
      (client) => client.release(true),
      () => {},
    )
}

/** A client that leaves out the names of statements while they are off. */
function clientOfPooler(naming: { isOn: boolean }): typeof DatabaseClient {
  const nameless = (config: unknown) => {
    const isNamed = typeof config === 'object' && config !== null && 'name' in config
    return isNamed && !naming.isOn ? { ...config, name: undefined } : config
  }
  return class extends DatabaseClient {
    /** The pooler may prepare a statement again in another session, after a migration with other columns. */
    protected override readonly described = undefined

    override query(...[config, ...more]: unknown[]) {
      return Reflect.apply(super.query, this, [nameless(config), ...more])
    }
  }
}
