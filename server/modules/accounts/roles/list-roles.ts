import type { Ctx } from '#server/core/ctx.ts'
import { type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, sql } from '#server/core/db.ts'
import type { RolesAnswer, RolesQuery } from '#server/modules/accounts/roles/schema.ts'
import { ROLE_COLUMNS, type RoleRow, toRoleView } from '#server/modules/accounts/roles/view.ts'

const ROLES_A_PAGE = 10
const HIGHEST_FIRST: ListOrder = {
  first: { column: sql`r.rank`, isDescending: true, type: 'bigint' },
  tie: { column: sql`r.role_id`, isDescending: false },
}

/** The roles of the network, its communities and channels, highest first; everyone may see them. There are few: no index. */
export async function listRoles(ctx: Ctx, { options }: RolesQuery): Promise<RolesAnswer> {
  const page = readPageRequest(options, ROLES_A_PAGE)
  const clauses = pageClauses(HIGHEST_FIRST, page)
  const found = await query<RoleRow & { rank: number }>(
    ctx,
    sql`
    select ${ROLE_COLUMNS}, r.rank from role r where not r.is_deleted and ${clauses.where}
    order by ${clauses.orderBy} ${clauses.limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [String(row.rank), row.roleId])
  return { roles: rows.map(toRoleView), paging }
}
