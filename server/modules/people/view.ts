import { Prisma, type Sql } from '#server/core/db.ts'
import type { Named } from '#server/modules/people/schema.ts'

/** Who is named by an id that may be a user's or, of an admin token, its name: `{userId, displayName}` as `as`, from a left join. */
export function namedAs(column: Sql, user: Sql): Sql {
  return Prisma.sql`case when ${column} is not null then jsonb_strip_nulls(jsonb_build_object(
    'userId', ${user}.user_id, 'displayName', coalesce(nullif(${user}.display_name, ''), ${column}))) end`
}

/** A row's number as the tie of a list: digits that sort as the number does. */
export function numberTie(column: Sql): Sql {
  return Prisma.sql`lpad(${column}::text, 19, '0')`
}

export type NamedRow = Named | null
