import { type Sql, sql } from '#server/core/db.ts'

export const LEASES_CHANNEL = 'docket_leases'

/** A column of a statement that changes a lease: notifies every process on commit. `notice` is a `LeaseNotice` in JSON. */
export function publishLease(notice: Sql): Sql {
  return sql`pg_notify(${LEASES_CHANNEL}, (${notice})::text)::text`
}
