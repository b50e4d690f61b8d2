/** "Ban community user", of BAN_COMMUNITY_USER: the names are those of the interface, so that both can be found by either. */
export function permissionName(permission: string): string {
  const words = permission.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
