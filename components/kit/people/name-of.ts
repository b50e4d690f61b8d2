import type { User } from '#server/modules/accounts/users/schema.ts'

/** The name people read: what the user chose, else their id. */
export function nameOf({ displayName, userId }: Pick<User, 'displayName' | 'userId'>): string {
  return displayName || userId
}
