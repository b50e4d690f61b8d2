import type { Ctx } from '#server/core/ctx.ts'
import { actOnPeople } from '#server/modules/spaces/membership/act-on-people.ts'
import { assertBelow } from '#server/modules/spaces/membership/lock-people.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import type { PeopleOfSpace } from '#server/modules/spaces/sanctions/ban.ts'

/**
 * Ends memberships with their roles, and bans, of all people or none (docs/interface/channel-members.md#remove-members). People who aren't
 * members stay so. Fails with NOT_FOUND for an unknown space and, in a channel, an unknown user; FORBIDDEN without the permission, in a
 * conversation, and for people of equal or higher rank.
 */
export function removeMembers<Answer>(ctx: Ctx, kind: SpaceKind<Answer>, people: PeopleOfSpace): Promise<Answer> {
  return actOnPeople(ctx, kind, {
    ...people,
    action: 'removeMembers',
    act: 'removed',
    assertAllowed: (found) => assertBelow(found, 'FORBIDDEN'),
  })
}
