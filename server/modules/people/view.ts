import { type Sql, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import type { ListedPerson, Named } from '#server/modules/people/schema.ts'

/** The actor of an id that may be a user's or, for an admin token, its name: `{userId, displayName}` as `as`, from a left join. */
export function namedAs(column: Sql, user: Sql): Sql {
  return sql`case when ${column} is not null then jsonb_strip_nulls(jsonb_build_object(
    'userId', ${user}.user_id, 'displayName', coalesce(nullif(${user}.display_name, ''), ${column}))) end`
}

export type NamedRow = Named | null

/** What `toListed` reads, selected from `network_user u`. */
export const LISTED_COLUMNS = sql`
  u.user_id, u.internal_id as user_internal_id, u.display_name, u.profile_handle,
  u.is_global_ban, u.is_deleted, u.created_at`

export interface ListedRow {
  userId: string
  userInternalId: string
  displayName: string | null
  profileHandle: string | null
  isGlobalBan: boolean
  isDeleted: boolean
  createdAt: Date
}

export function toListed({ displayName, profileHandle, createdAt, ...person }: ListedRow): ListedPerson {
  return {
    ...person,
    displayName: nameOf({ userId: person.userId, displayName }),
    createdAt: timestampOf(createdAt),
    ...present({ profileHandle }),
  }
}
