import { sql } from '#server/core/db.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { Role } from '#server/modules/accounts/roles/schema.ts'

/** What `toRoleView` reads, selected from `role r`. */
export const ROLE_COLUMNS = sql`
  r.role_id, r.display_name, r.permissions, r.is_deleted, r.created_at,
  r.updated_at`

export interface RoleRow {
  roleId: string
  displayName: string | null
  permissions: string[]
  isDeleted: boolean
  createdAt: Date
  updatedAt: Date
}

/** The shape of docs/interface/permissions.md#roles-and-ranks. */
export function toRoleView(row: RoleRow): Role {
  return {
    roleId: row.roleId,
    ...(row.displayName !== null && { displayName: row.displayName }),
    permissions: row.permissions,
    isDeleted: row.isDeleted,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  }
}
