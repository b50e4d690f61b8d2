import { z } from 'zod'
import { CHANNEL_PERMISSIONS, COMMUNITY_PERMISSIONS, permissionName } from '#server/core/permission-names.ts'
import { RoleScope } from '#server/core/prisma/enums.ts'
import { Dates, field, name, optional, otherwise, RoleId } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const role = recordKind({
  // Before the records that hold roles, so that each role's scope is known.
  stage: 0,
  table: 'role',
  id: ['role_id'],
  schema: z.object({
    roleId: RoleId,
    displayName: name({ max: 100 }),
    permissions: otherwise([], z.array(z.string().min(1).max(100).transform(permissionName))),
    rank: otherwise(0, z.int().min(0).max(1_000_000)),
    scope: optional(z.enum(RoleScope)),
    isDeleted: field.flag,
    ...Dates,
  }),
  toRow: ({ scope, permissions, ...role }) => ({
    ...role,
    permissions: [...new Set(permissions)],
    scope: scope ?? scopeOf(permissions),
  }),
})

/** The scope that the permissions imply; a role with neither community nor channel permissions applies to the whole network. */
function scopeOf(permissions: string[]): RoleScope {
  if (permissions.every((permission) => isOneOf(COMMUNITY_PERMISSIONS, permission))) return 'community'
  if (permissions.every((permission) => isOneOf(CHANNEL_PERMISSIONS, permission))) return 'channel'
  return 'network'
}

function isOneOf(names: readonly string[], permission: string): boolean {
  return names.includes(permission)
}
