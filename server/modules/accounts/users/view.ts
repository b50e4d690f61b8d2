import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import { userPath } from '#server/core/record-path.ts'
import { eachOnce, networkPermissionsOf } from '#server/core/role-permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'

/** What `toUserView` reads, selected from `network_user u`. */
export const USER_COLUMNS = sql`
  u.user_id, u.internal_id, u.display_name, u.profile_handle,
  u.description, u.avatar_file_id, u.avatar_custom_url, u.roles,
  ${networkPermissionsOf(sql`u.roles`)} as permissions, u.metadata, u.flag_count, u.hash_flag,
  u.is_global_ban, u.is_brand, u.is_deleted,
  u.created_at, u.updated_at`

export interface UserRow {
  userId: string
  internalId: string
  displayName: string | null
  profileHandle: string | null
  description: string | null
  avatarFileId: string | null
  avatarCustomUrl: string | null
  roles: string[]
  permissions: string[]
  metadata: Record<string, unknown> | null
  flagCount: number
  hashFlag: User['hashFlag'] | null
  isGlobalBan: boolean
  isBrand: boolean
  isDeleted: boolean
  createdAt: Date
  updatedAt: Date
}

/** The shape of docs/interface/users.md#user. */
export function toUserView({ networkId }: Ctx, row: UserRow): User {
  return {
    userId: row.userId,
    _id: row.internalId,
    path: userPath(networkId, row.internalId),
    userInternalId: row.internalId,
    userPublicId: row.userId,
    roles: row.roles,
    permissions: eachOnce(row.permissions),
    displayName: row.displayName ?? undefined,
    profileHandle: row.profileHandle ?? undefined,
    description: row.description ?? undefined,
    avatarFileId: row.avatarFileId ?? undefined,
    avatarCustomUrl: row.avatarCustomUrl ?? undefined,
    flagCount: row.flagCount,
    hashFlag: row.hashFlag ?? undefined,
    metadata: row.metadata ?? undefined,
    isGlobalBan: row.isGlobalBan,
    isBrand: row.isBrand,
    isDeleted: row.isDeleted,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  }
}

/** The displayed name: what the user chose, else their id. */
export function nameOf(user: { userId: string; displayName: string | null }): string {
  return user.displayName || user.userId
}
