import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockPeople } from '#server/modules/spaces/membership/lock-people.ts'
import { changeMembership } from '#server/modules/spaces/membership/set-membership.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'

/**
 * Makes people members, all of them or none; existing members stay as they are. Fails with NOT_FOUND for an unknown space and for unknown
 * users, FORBIDDEN without the permission and in a conversation, BANNED where one of them is banned.
 */
export function addMembers<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { spaceId, userIds }: { spaceId: string; userIds: string[] },
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    await kind.lock(ctx, spaceId, 'addMembers')
    const people = await lockPeople(ctx, kind, { spaceId, userIds })
    if (people.some(({ isGone }) => isGone)) throw new DomainError('NOT_FOUND')
    if (people.some(({ membership }) => membership === 'banned')) throw new DomainError('BANNED')
    return changeMembership(ctx, kind, { spaceId, act: 'added', userIds, people })
  })
}
