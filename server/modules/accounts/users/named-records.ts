import type { Ctx } from '#server/core/ctx.ts'
import { jsonOfRows, rowsOfJson } from '#server/core/database/json-rows.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import { FILE_COLUMNS, type FileRow, toFileView } from '#server/modules/media/files/view.ts'

/** What `NAMED_COLUMNS` selects. */
export interface GatheredNames {
  users: Record<string, unknown>[] | null
  files: Record<string, unknown>[] | null
}

/**
 * Common table expressions of the users and the files that a statement's other rows refer to, `people` and `named_file`. Both are looked up
 * through an array, so that their index is used however many rows the planner expects.
 */
export function namedTables({ userIds, fileIds }: { userIds: Sql; fileIds: Sql }): Sql {
  return sql`
    people as materialized (select ${USER_COLUMNS} from network_user u where u.user_id = any(array(${userIds}))),
    named_file as (
      select ${FILE_COLUMNS} from file f
      where f.file_id = any(array(${fileIds} union all select avatar_file_id from people)) order by f.file_id)`
}

/** The ids in the mentions of one record, or in an array of such mentions: in a JSON path, a field of an array is that of its elements. */
const mentionedId = (mentions: Sql) => sql`jsonb_path_query(${mentions}, '$[*].*[*]') #>> '{}'`
/** Imported mentions may have these alone. */
const mentionedInternalId = (mentions: Sql) => sql`jsonb_path_query(${mentions}, '$[*].userInternalIds[*]') #>> '{}'`

/** The ids of everyone whom the `mentionees` in the rows of a table refer to. */
export function mentionedIn(table: Sql): Sql {
  const mentions = sql`mentionees`
  return sql`
    select ${mentionedId(mentions)} from ${table} where mentionees <> '[]'
    union all select by_id.user_id from network_user by_id where by_id.internal_id = any(array(
      select ${mentionedInternalId(mentions)} from ${table} where mentionees <> '[]'))`
}

/** The ids in `mentionees` that were gathered in one JSON array, for `namedRecords`. */
export function idsMentioned(gathered: Sql): { userIds: Sql; internalIds: Sql } {
  return {
    userIds: sql`array(select ${mentionedId(gathered)})`,
    internalIds: sql`array(select ${mentionedInternalId(gathered)})`,
  }
}

/**
 * `GatheredNames` of these arrays of ids as one JSON value: for what few rows refer to, as a function's statement is set up only where it is
 * called (docs/performance.md).
 */
export function namedRecords({ userIds, internalIds, fileIds }: { userIds: Sql; internalIds: Sql; fileIds: Sql }): Sql {
  return sql`named_records(${userIds}, ${internalIds}, ${fileIds})`
}

export const NAMED_COLUMNS = sql`
  ${jsonOfRows(sql`select * from people`)} as users, ${jsonOfRows(sql`select * from named_file`)} as files`

export function namedIn(ctx: Ctx, found: GatheredNames | null | undefined): { users: User[]; files: File[] } {
  const MADE = ['createdAt', 'updatedAt'] as const
  return {
    users: rowsOfJson<UserRow>(found?.users, [...MADE]).map((row) => toUserView(ctx, row)),
    files: rowsOfJson<FileRow>(found?.files, [...MADE]).map(toFileView),
  }
}
