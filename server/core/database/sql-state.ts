import pg from 'pg'

export const UNIQUE_VIOLATION = '23505'

/** The SQLSTATE of an error that PostgreSQL reported (https://www.postgresql.org/docs/18/errcodes-appendix.html); undefined for others. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Whether PostgreSQL rejected a row because of this unique index. */
export function violates(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === index
}
