import { DomainError, type ErrorCode } from '#server/core/errors.ts'
import type { RoleScope } from '#server/core/prisma/enums.ts'

/** The space in which a role of one space would be held. */
export interface RoleSpace {
  communityId?: string | undefined
  channelId?: string | undefined
}

/**
 * Rejects a role held outside its scope (docs/interface/permissions.md: a role of a space is never held without its space, and a role of
 * the network is not of one space). The database also rejects the former from any writer.
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
