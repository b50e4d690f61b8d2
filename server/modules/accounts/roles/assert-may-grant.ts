import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { RoleScope } from '#server/core/prisma/enums.ts'
import { assertRoleInPlace } from '#server/modules/accounts/roles/assert-role-in-place.ts'

/** The most the caller may grant. */
export interface Authority {
  rank: number
  permissions: ReadonlySet<string>
}

/**
 * Nobody grants what they do not have (docs/interface/permissions.md#granting-roles). Fails with NOT_FOUND for a role that does not exist,
 * FORBIDDEN for one of another scope, of a higher rank, or with a permission that the caller lacks.
 */
export async function assertMayGrant(
  ctx: Ctx,
  roleIds: string[],
  scope: RoleScope,
  authority: Authority,
): Promise<void> {
  if (roleIds.length === 0) return
  // The share lock stops the role from gaining permissions while it is being granted.
  const roles = await query<{ roleId: string; scope: RoleScope; rank: number; permissions: string[] }>(
    ctx,
    sql`
    select r.role_id, r.scope::text as scope, r.rank, r.permissions
    from role r where r.role_id = any(${roleIds}) and not r.is_deleted order by r.role_id for share`,
  )
  if (roles.length < new Set(roleIds).size) throw new DomainError('NOT_FOUND')
  if (scope === 'network') for (const role of roles) assertRoleInPlace(role, {}, 'FORBIDDEN')
  const mayGrant = roles.every(
    (role) =>
      role.scope === scope &&
      role.rank <= authority.rank &&
      role.permissions.every((permission) => authority.permissions.has(permission)),
  )
  if (!mayGrant) throw new DomainError('FORBIDDEN')
}
