import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type Permission, permissionName } from '#server/core/permission-names.ts'
import { holds } from '#server/core/permissions.ts'
import type { Authority } from '#server/modules/accounts/roles/assert-may-grant.ts'
import { PERMISSIONS_IN } from '#server/modules/accounts/roles/permissions-in.ts'
import type { NewRole, RoleChange, RoleInput } from '#server/modules/accounts/roles/schema.ts'
import { SEEDED_ROLES } from '#server/modules/accounts/roles/seeded-roles.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/**
 * Creates a role. Needs CREATE_ROLE; FORBIDDEN for a rank that is not below the caller's and for a permission they lack, INVALID_PARAMETERS
 * for one that the scope does not know, ALREADY_EXISTS where the id was ever used: holders of the old role would hold this one.
 */
export function makeRole(ctx: Ctx, role: NewRole): Promise<{ roleId: string }> {
  const authority = authorityFor(ctx, 'CREATE_ROLE')
  return inTransaction(ctx, async (ctx) => {
    const after = { ...role, permissions: readPermissions(role) }
    assertWithinAuthority(authority, { rank: role.rank, granted: after.permissions })
    const made = await execute(
      ctx,
      sql`
      insert into role (role_id, display_name, rank, scope, permissions, updated_by, created_at, updated_at)
      values (${role.roleId}, ${role.displayName}, ${role.rank}, ${role.scope}::role_scope, ${after.permissions}::text[],
        ${actingUserId(ctx) ?? null}, ${ctx.now()}, ${ctx.now()})
      on conflict (role_id) do nothing`,
    )
    if (made === 0) throw new DomainError('ALREADY_EXISTS')
    await record(ctx, 'role.created', role.roleId, { after: stateOf(after) })
    return { roleId: role.roleId }
  })
}

/**
 * Changes a role's name, rank or permissions; this takes effect with the next call of those who hold it. Needs EDIT_ROLE and a role of
 * lower rank; fails as `makeRole` does, and with CHANGED where somebody else changed it first.
 */
export function changeRole(ctx: Ctx, { roleId, updatedAt, ...change }: RoleChange): Promise<{ updatedAt: string }> {
  const authority = authorityFor(ctx, 'EDIT_ROLE')
  return inTransaction(ctx, async (ctx) => {
    const before = await lockRole(ctx, roleId, authority)
    if (before.isDeleted) throw new DomainError('NOT_FOUND')
    const known: readonly string[] = PERMISSIONS_IN[before.scope]
    const kept = before.permissions.filter((held) => !known.includes(held))
    const after = { ...change, permissions: [...readPermissions({ ...change, scope: before.scope }), ...kept] }
    const granted = after.permissions.filter((permission) => !before.permissions.includes(permission))
    assertWithinAuthority(authority, { rank: change.rank, granted })

    const changed = await queryOne<{ updatedAt: Date }>(
      ctx,
      sql`
      update role set display_name = ${change.displayName}, rank = ${change.rank}, permissions = ${after.permissions}::text[],
        updated_by = ${actingUserId(ctx) ?? null}, updated_at = greatest(${ctx.now()}, updated_at + interval '1 millisecond')
      where role_id = ${roleId} and updated_at = ${new Date(updatedAt)} returning updated_at`,
    )
    if (changed === undefined) throw new DomainError('CHANGED')
    await record(ctx, 'role.changed', roleId, { before: stateOf(before), after: stateOf(after) })
    return { updatedAt: changed.updatedAt.toISOString() }
  })
}

/** Deletes a role of lower rank: it no longer grants anything to those who hold it. Needs DELETE_ROLE; built-in roles can't be deleted. */
export function deleteRole(ctx: Ctx, { roleId }: RoleInput): Promise<{ roleId: string }> {
  const authority = authorityFor(ctx, 'DELETE_ROLE')
  if (SEEDED_ROLES.has(roleId)) throw new DomainError('FORBIDDEN')
  return inTransaction(ctx, async (ctx) => {
    const before = await lockRole(ctx, roleId, authority)
    if (before.isDeleted) throw new DomainError('NOT_FOUND')
    await setDeleted(ctx, roleId, true)
    await record(ctx, 'role.deleted', roleId, { before: stateOf(before) })
    return { roleId }
  })
}

/** Restores a deleted role to those who held it. Needs DELETE_ROLE, and every permission that it grants. */
export function restoreRole(ctx: Ctx, { roleId }: RoleInput): Promise<{ roleId: string }> {
  const authority = authorityFor(ctx, 'DELETE_ROLE')
  return inTransaction(ctx, async (ctx) => {
    const role = await lockRole(ctx, roleId, authority)
    if (!role.isDeleted) throw new DomainError('CHANGED')
    assertWithinAuthority(authority, { rank: role.rank, granted: role.permissions })
    await setDeleted(ctx, roleId, false)
    await record(ctx, 'role.restored', roleId, { after: stateOf(role) })
    return { roleId }
  })
}

function authorityFor(ctx: Ctx, permission: Permission): Authority {
  if (ctx.actor.kind !== 'admin' || !holds(ctx, permission)) throw new DomainError('FORBIDDEN')
  return ctx.actor
}

interface LockedRole {
  displayName: string | null
  rank: number
  scope: keyof typeof PERMISSIONS_IN
  permissions: string[]
  isDeleted: boolean
}

/** The caller may change only roles of strictly lower rank; that others exist is no secret. */
async function lockRole(ctx: Ctx, roleId: string, { rank }: Authority): Promise<LockedRole> {
  const role = await queryOne<LockedRole>(
    ctx,
    sql`
    select r.display_name, r.rank, r.scope::text as scope, r.permissions, r.is_deleted
    from role r where r.role_id = ${roleId} for update`,
  )
  if (role === undefined) throw new DomainError('NOT_FOUND')
  if (role.rank >= rank) throw new DomainError('FORBIDDEN')
  return role
}

function assertWithinAuthority({ rank, permissions }: Authority, role: { rank: number; granted: string[] }): void {
  if (role.rank >= rank || role.granted.some((permission) => !permissions.has(permission)))
    throw new DomainError('FORBIDDEN')
}

/** The permissions that are named, sorted; in either spelling (docs/interface/permissions.md#permission-names). */
function readPermissions({ scope, permissions }: Pick<NewRole, 'scope' | 'permissions'>): string[] {
  const known: readonly string[] = PERMISSIONS_IN[scope]
  const named = [...new Set(permissions.map(permissionName))].toSorted()
  const unknown = named.filter((permission) => !known.includes(permission))
  if (unknown.length > 0)
    throw new DomainError('INVALID_PARAMETERS', {
      detail: unknown.map((name) => `permissions: ${name} is not a permission`),
    })
  return named
}

async function setDeleted(ctx: Ctx, roleId: string, isDeleted: boolean): Promise<void> {
  await execute(
    ctx,
    sql`
    update role set is_deleted = ${isDeleted}, updated_by = ${actingUserId(ctx) ?? null}, updated_at = ${ctx.now()}
    where role_id = ${roleId}`,
  )
}

function stateOf({
  displayName,
  rank,
  permissions,
}: {
  displayName: string | null
  rank: number
  permissions: string[]
}) {
  return { displayName, rank, permissions }
}

function record(
  ctx: Ctx,
  action: string,
  roleId: string,
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> {
  return recordAudit(ctx, { action, subjectType: 'role', subjectId: roleId, ...change })
}
