import { DomainError, type ErrorCode } from '#server/core/errors.ts'
import type { RoleScope } from '#server/core/prisma/enums.ts'

/** Where a role that belongs to one space would be held. */
export interface RoleSpace {
  communityId?: string | undefined
  channelId?: string | undefined
}

/**
 * Refuses a role that would be held outside its place (docs/interface/permissions.md: a role of a space is never held without its space, and a role of
 * the network is not of one space). The database refuses the former too, whoever writes it.
 */
export function assertRoleInPlace(
  { roleId, scope }: { roleId: string; scope: RoleScope },
  { communityId, channelId }: RoleSpace,
  failure: ErrorCode = 'INVALID_PARAMETERS',
): void {
  const given = { network: true, community: communityId !== undefined, channel: channelId !== undefined }
  if (!given[scope]) throw new DomainError(failure, { detail: [`${roleId} needs a ${scope}`] })
  for (const space of ['community', 'channel'] as const) {
    if (given[space] && scope !== space)
      throw new DomainError(failure, { detail: [`${roleId} is not a ${space} role`] })
  }
}
