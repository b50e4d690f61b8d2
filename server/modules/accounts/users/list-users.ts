import type { Ctx } from '#server/core/ctx.ts'
import { type ListKey, type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { containing, containsFolded, escapeLike } from '#server/core/database/like.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import type { PeopleOrder, SearchedIn, UsersPage, UsersQuery } from '#server/modules/accounts/users/schema.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'

const USERS_A_PAGE = 10

/**
 * The users of the network, a page at a time. Fails with FORBIDDEN where someone without VIEW_USERS asks who was reported. Uses
 * network_user_newest or network_user_by_name; with a keyword, network_user_name and its neighbours.
 */
export async function listUsers(ctx: Ctx, { options, ...asked }: UsersQuery): Promise<UsersPage> {
  if (asked.filter === 'flagged' && !holds(ctx, 'VIEW_USERS')) throw new DomainError('FORBIDDEN')

  const order = peopleOrder(asked.sortBy, sql`u.created_at`)
  const page = readPageRequest(options, USERS_A_PAGE)
  const clauses = pageClauses(order, page)
  const found = await query<UserRow & { sortName: string }>(
    ctx,
    sql`
    select ${USER_COLUMNS}, ${SORT_NAME} as sort_name from network_user u
    where ${sql.join([clauses.where, ...conditions(asked)], ' and ')}
    order by ${clauses.orderBy} ${clauses.limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => positionOf(asked.sortBy, row))
  const users = rows.map((row) => toUserView(ctx, row))
  return { users, files: await readFiles(ctx, avatarsOf(users)), paging }
}

function conditions(asked: Omit<UsersQuery, 'options'>): Sql[] {
  return [
    ...(asked.keyword ? [named(asked.keyword, asked.searchBy, asked.exactMatchKeyword)] : []),
    ...(asked.filter === 'flagged' ? [sql`u.flag_count > 0`] : []),
    ...(asked.isDeleted === undefined ? [] : [sql`u.is_deleted = ${asked.isDeleted}`]),
    ...(asked.isBrand === undefined ? [] : [sql`u.is_brand = ${asked.isBrand}`]),
  ]
}

/** The sort key of a list by name, of `network_user u`. */
export const SORT_NAME = sql`lower(coalesce(u.display_name, u.user_id))`

/** The order of a list of people; `since` is the time that newest refers to. Ties are ordered by id; first is the exact reverse of last. */
export function peopleOrder(order: PeopleOrder, since: Sql): ListOrder {
  const tie = { column: sql`u.user_id`, isDescending: order === 'firstCreated' }
  return order === 'displayName'
    ? { first: { column: SORT_NAME, isDescending: false, type: 'text' }, tie }
    : { first: { column: since, isDescending: order === 'lastCreated', type: 'timestamptz' }, tie }
}

/** The position of a row in `peopleOrder`. */
export function positionOf(order: PeopleOrder, row: { userId: string; createdAt: Date; sortName: string }): ListKey {
  return [order === 'displayName' ? row.sortName : timestampOf(row.createdAt), row.userId]
}

/** Whether any of these contains the keyword, or is it if `isExact`, ignoring case, and in names also accents: a condition on `network_user u`. */
export function named(keyword: string, searchedIn: SearchedIn, isExact: boolean): Sql {
  const pattern = isExact ? escapeLike(keyword) : containing(keyword)
  const name = sql`u.display_name`
  const isFound: Record<SearchedIn[number], Sql> = {
    displayName: isExact ? sql`folded_text(${name}) = folded_text(${keyword})` : containsFolded(name, keyword),
    profileHandle: sql`u.profile_handle ilike ${pattern}`,
    userId: sql`u.user_id ilike ${pattern}`,
  }
  const conditions = [...new Set(searchedIn)].map((field) => isFound[field])
  return sql`(${sql.join(conditions, ' or ')}) ${NO_PREPARE}`
}
