import type pg from 'pg'

export type Pool = pg.Pool

/** What statements run on: the pool, or a transaction. */
export interface Db {
  query(statement: pg.QueryArrayConfig<unknown[]>): Promise<pg.QueryArrayResult<unknown[]>>
}
