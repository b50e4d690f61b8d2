import type pg from 'pg'

/** `directUrl` leads past a pooler in front of PostgreSQL: a connection that listens has to be its own. */
export type Pool = pg.Pool & { readonly directUrl?: string | undefined }

/** What statements run on: the pool, or a transaction. */
export interface Db {
  query(statement: pg.QueryArrayConfig<unknown[]>): Promise<pg.QueryArrayResult<unknown[]>>
}
