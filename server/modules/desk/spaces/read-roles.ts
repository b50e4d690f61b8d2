import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { ownAuthority } from '#server/modules/accounts/roles/own-authority.ts'
import type { MemberActs, MemberSpace, SpaceRole } from '#server/modules/desk/spaces/schema.ts'

/** The roles that members of such a space may hold, highest first, and which of them the caller may grant there. */
export async function readSpaceRoles(
  ctx: Ctx,
  space: MemberSpace,
  may: Pick<MemberActs, 'roles'>,
): Promise<SpaceRole[]> {
  const { rank, permissions } = await ownAuthority(ctx, space)
  // There are few roles: no index.
  return query<SpaceRole>(
    ctx,
    sql`
    select r.role_id, coalesce(nullif(r.display_name, ''), r.role_id) as display_name,
      (${may.roles} and r.rank <= ${rank}::int and r.permissions <@ ${[...permissions]}::text[]) as may_grant
    from role r where not r.is_deleted and r.scope = ${space.scope}::role_scope order by r.rank desc, r.role_id`,
  )
}
