import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { RoleScope } from '#server/core/prisma/enums.ts'

/** The roles that an admin may give: none of a higher rank, none with a permission they lack; lowest first, so that nobody gives too much by mistake. They are few: no index. */
export async function grantableBy(ctx: Ctx): Promise<{ roleId: string; displayName: string; scope: RoleScope }[]> {
  if (ctx.actor.kind !== 'admin') return []
  const { rank, permissions } = ctx.actor
  return query(
    ctx,
    sql`
    select r.role_id, coalesce(r.display_name, r.role_id) as display_name, r.scope::text as scope
    from role r where not r.is_deleted and r.rank <= ${rank} and r.permissions <@ ${[...permissions]}::text[]
    order by r.rank, r.role_id`,
  )
}
