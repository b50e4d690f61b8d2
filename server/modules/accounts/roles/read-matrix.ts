import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { CHANNEL_PERMISSIONS, COMMUNITY_PERMISSIONS, NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'
import { holds } from '#server/core/permissions.ts'
import type { RoleMatrix, RoleRow } from '#server/modules/accounts/roles/schema.ts'
import { SEEDED_ROLES } from '#server/modules/accounts/roles/seeded-roles.ts'

/**
 * Every role with its grants, highest first, and what the caller may change of it. Needs EDIT_ROLE. Roles are few: no index; their holders
 * are counted with network_user_roles, community_user_roles and channel_user_roles.
 */
export async function readMatrix(ctx: Ctx): Promise<RoleMatrix> {
  if (ctx.actor.kind !== 'admin' || !holds(ctx, 'EDIT_ROLE')) throw new DomainError('FORBIDDEN')
  const { rank, permissions } = ctx.actor
  const rows = await query<Omit<RoleRow, 'updatedAt' | 'changedBy' | 'isSeeded' | 'mayChange' | 'mayDelete'> & Changed>(
    ctx,
    sql`
    select r.role_id, coalesce(r.display_name, r.role_id) as display_name, r.rank, r.scope::text as scope, r.permissions,
      r.updated_at, r.updated_by, coalesce(nullif(u.display_name, ''), r.updated_by) as updated_by_name,
      case r.scope
        when 'network' then (select count(*)::int from network_user h where h.roles @> array[r.role_id] and not h.is_deleted)
        when 'community' then (
          select count(*)::int from community_user h
          where h.roles @> array[r.role_id] and h.membership = 'member' and not h.is_deleted)
        else (
          select count(*)::int from channel_user h
          where h.roles @> array[r.role_id] and h.membership = 'member' and not h.is_deleted)
      end as holders
    from role r left join network_user u on u.user_id = r.updated_by
    where not r.is_deleted order by r.rank desc, r.role_id`,
  )
  return {
    roles: rows.map(({ updatedAt, updatedBy, updatedByName, ...role }) => ({
      ...role,
      updatedAt: updatedAt.toISOString(),
      ...(updatedBy !== null && { changedBy: { userId: updatedBy, name: updatedByName ?? updatedBy } }),
      isSeeded: SEEDED_ROLES.has(role.roleId),
      mayChange: role.rank < rank,
      mayDelete: role.rank < rank && !SEEDED_ROLES.has(role.roleId) && holds(ctx, 'DELETE_ROLE'),
    })),
    permissions: {
      network: [...NETWORK_PERMISSIONS],
      community: [...COMMUNITY_PERMISSIONS],
      channel: [...CHANNEL_PERMISSIONS],
    },
    own: [...permissions],
    ownRank: rank,
    mayMake: holds(ctx, 'CREATE_ROLE'),
  }
}

interface Changed {
  updatedAt: Date
  updatedBy: string | null
  updatedByName: string | null
}
