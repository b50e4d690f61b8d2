import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { Role } from '#server/modules/accounts/roles/schema.ts'
import { ROLE_COLUMNS, type RoleRow, toRoleView } from '#server/modules/accounts/roles/view.ts'

/** The roles that these people hold, as far as they exist; runs no query for an empty list. */
export async function readRolesOf(ctx: Ctx, holders: { roles: string[] }[]): Promise<Role[]> {
  const roleIds = [...new Set(holders.flatMap(({ roles }) => roles))]
  if (roleIds.length === 0) return []
  const rows = await query<RoleRow>(
    ctx,
    sql`select ${ROLE_COLUMNS} from role r where r.role_id = any(${roleIds}) order by r.role_id`,
  )
  return rows.map(toRoleView)
}
