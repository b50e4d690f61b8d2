import { type Sql, sql } from '#server/core/db.ts'
import type { ChannelPermission, CommunityPermission } from '#server/core/permission-names.ts'

/**
 * What roles grant, as SQL expressions of a column or array with their ids. They are part of most statements: as subqueries they take a
 * fourth to a tenth of the time of the functions `role_permissions`, `network_role_permissions` and `network_role_rank`.
 */

/** Whether one of these roles grants the permission. */
export function grants(roles: Sql, permission: CommunityPermission | ChannelPermission): Sql {
  return sql`exists (
    select from role granting
    where granting.role_id = any(${roles}) and not granting.is_deleted and ${permission} = any(granting.permissions))`
}

/** All permissions that these roles grant, in no order; those of several roles more than once, see `eachOnce`. */
export function permissionsOf(roles: Sql): Sql {
  return granted(roles, sql.empty)
}

/** All permissions that the network roles among these grant, in no order, possibly more than once. */
export function networkPermissionsOf(roles: Sql): Sql {
  return granted(roles, sql`and worn.scope = 'network'`)
}

/** The highest rank of the network roles among these; 0 without any. */
export function networkRankOf(roles: Sql): Sql {
  return highestRank(roles, sql`and worn.scope = 'network'`)
}

/** The highest rank of these roles, of whatever scope; 0 without any. */
export function roleRankOf(roles: Sql): Sql {
  return highestRank(roles, sql.empty)
}

function highestRank(roles: Sql, where: Sql): Sql {
  return sql`coalesce((
    select max(worn.rank) from role worn where worn.role_id = any(${roles}) and not worn.is_deleted ${where}), 0)`
}

function granted(roles: Sql, where: Sql): Sql {
  return sql`
    case when ${roles} = '{}' then '{}' else array(
      select unnest(worn.permissions) from role worn where worn.role_id = any(${roles}) and not worn.is_deleted ${where}) end`
}

/** The permissions as answers list them: each once, in order. Sorted here, as each part of a statement is set up where no row needs it too. */
export function eachOnce(permissions: string[]): string[] {
  return permissions.length === 0 ? permissions : [...new Set(permissions)].toSorted()
}
