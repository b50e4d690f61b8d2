import type pg from 'pg'

export type Pool = pg.Pool & {
  /** Leads past a pooler in front of PostgreSQL: a connection that listens has to be its own. */
  readonly directUrl?: string | undefined
  /** The connections that short reads share (shared-connections.ts), where these are not of the pool itself. */
  readonly reads?: pg.Pool | undefined
}

/** What statements run on: the pool, or a transaction. */
export interface Db {
  /** Of a transaction: the watched tables that it has changed so far (writes.ts). */
  written?: Set<string>
  query(statement: pg.QueryArrayConfig<unknown[]>): Promise<pg.QueryArrayResult<unknown[]>>
}

/** Copies of the database that answer reads. */
export interface Replicas {
  /**
   * Runs `act` on a replica that has everything which was committed before, or on the primary. What a replica fails to do is done again on
   * the primary, so `act` changes nothing and may run twice.
   */
  read<Result>(act: (db: Db) => Promise<Result>): Promise<Result>
}
