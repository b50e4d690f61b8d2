import { sql } from '#server/core/db.ts'
import type { NamedTable } from '#server/core/fuzzy-name-search.ts'
import { SORT_NAME } from '#server/modules/accounts/users/list-users.ts'

/**
 * The search for people by name, id or handle, of `network_user u`. Uses network_user_pkey and the unique indexes of internal ids and
 * handles, network_user_by_name, and network_user_name, network_user_id and network_user_handle.
 */
export const NAMED_PEOPLE: NamedTable = {
  from: sql`network_user u`,
  id: sql`u.user_id`,
  isExactMatch: (typed) =>
    sql`(u.user_id = ${typed} or u.internal_id = lower(${typed}) or u.profile_handle = ${typed})`,
  sortName: SORT_NAME,
  names: [sql`u.display_name`, sql`u.profile_handle`],
  contains: (pattern) =>
    sql`(u.display_name ilike ${pattern} or u.user_id ilike ${pattern} or u.profile_handle ilike ${pattern})`,
}
