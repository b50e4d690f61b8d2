import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { assertBelow, lockMembers } from '#server/modules/spaces/membership/lock-people.ts'
import { changeMembership } from '#server/modules/spaces/membership/set-membership.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import type { PeopleOfSpace } from '#server/modules/spaces/sanctions/ban.ts'

/**
 * Ends memberships with their roles, and bans, of all people or none (docs/interface/channel-members.md#remove-members). People who aren't
 * members stay so. Fails with NOT_FOUND for an unknown space and, in a channel, an unknown user; FORBIDDEN without the permission, in a
 * conversation, and for people of equal or higher rank.
 */
export function removeMembers<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { spaceId, userIds }: PeopleOfSpace,
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    await kind.lock(ctx, spaceId, 'removeMembers')
    const people = await lockMembers(ctx, kind, { spaceId, userIds })
    assertBelow(people, 'FORBIDDEN')
    return changeMembership(ctx, kind, { spaceId, act: 'removed', userIds, people })
  })
}
