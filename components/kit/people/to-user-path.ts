/** The page of a person, by any of their ids. */
export function toUserPath(userId: string): string {
  return `/users/${encodeURIComponent(userId)}`
}
