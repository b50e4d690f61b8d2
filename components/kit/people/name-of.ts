import type { User } from '#server/modules/accounts/users/schema.ts'

/** The display name, else the id. */
export function nameOf({ displayName, userId }: Pick<User, 'displayName' | 'userId'>): string {
  return displayName || userId
}
