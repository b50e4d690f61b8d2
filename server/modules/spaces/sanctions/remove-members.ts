import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { assertBelow, lockMembers } from '#server/modules/spaces/membership/lock-people.ts'
import type { MemberSpace } from '#server/modules/spaces/membership/member-space.ts'
import { changeMembership } from '#server/modules/spaces/membership/set-membership.ts'
import type { PeopleOfSpace } from '#server/modules/spaces/sanctions/ban.ts'

/**
 * Ends memberships with their roles, and bans, of all people or none (docs/interface/channel-members.md#remove-members). People who aren't
 * members stay so. Fails with NOT_FOUND for an unknown space and, in a channel, an unknown user; FORBIDDEN without the permission, in a
 * conversation, and for people of equal or higher rank.
 */
export function removeMembers<Answer>(
  ctx: Ctx,
  space: MemberSpace<Answer>,
  { spaceId, userIds }: PeopleOfSpace,
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    await space.lock(ctx, spaceId, 'removeMembers')
    const people = await lockMembers(ctx, space, { spaceId, userIds })
    assertBelow(people, 'FORBIDDEN')
    return changeMembership(ctx, space, { spaceId, act: 'removed', userIds, people })
  })
}
