import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { requireUser } from '#server/core/require-user.ts'
import type { MemberSpace } from '#server/modules/spaces/membership/member-space.ts'
import { publishMembers } from '#server/modules/spaces/membership/publish-members.ts'
import { changeMembership, setMembership } from '#server/modules/spaces/membership/set-membership.ts'

/**
 * Makes the caller a member; joining again changes nothing (docs/interface/channels.md#join-a-channel). Fails with NOT_FOUND for a space
 * that is deleted or that the caller may not see, BANNED for the banned, FORBIDDEN where members are only added by others or approved.
 */
export function joinSpace<Answer>(
  ctx: Ctx,
  space: MemberSpace<Answer>,
  { spaceId }: { spaceId: string },
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    const { membership, isOpen } = await space.enter(ctx, spaceId)
    if (membership === 'banned') throw new DomainError('BANNED')
    if (membership === 'member') return space.answerOwn(ctx, spaceId)
    const userId = requireUser(ctx)
    if (!isOpen) throw new DomainError('FORBIDDEN')

    const changes = await setMembership(ctx, space, { spaceId, act: 'joined', people: [{ userId, membership }] })
    // Where rows aren't locked, they may have been banned since.
    if (changes.length === 0 && (await space.enter(ctx, spaceId)).membership === 'banned')
      throw new DomainError('BANNED')
    return publishMembers(ctx, space, { spaceId, act: space.acts.joined, userIds: [userId], changes })
  })
}

/**
 * Ends the caller's membership and their roles in the space; a mute stays, so that rejoining doesn't end it. Without a membership nothing
 * changes. Fails with NOT_FOUND as `joinSpace` does; FORBIDDEN in a conversation and for the last moderator of a community, BANNED for
 * people banned from a community.
 */
export function leaveSpace<Answer>(
  ctx: Ctx,
  space: MemberSpace<Answer>,
  { spaceId }: { spaceId: string },
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    const people = await space.exit(ctx, spaceId)
    return changeMembership(ctx, space, { spaceId, act: 'left', userIds: [requireUser(ctx)], people })
  })
}
