import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { requireUser } from '#server/core/require-user.ts'
import { publishMembers } from '#server/modules/spaces/membership/publish-members.ts'
import { changeMembership, setMembership } from '#server/modules/spaces/membership/set-membership.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'

/**
 * Makes the caller a member; joining again changes nothing (docs/interface/channels.md#join-a-channel). Fails with NOT_FOUND for a space
 * that is deleted or that the caller may not see, BANNED for the banned, FORBIDDEN where members are only added by others or approved.
 */
export function joinSpace<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { spaceId }: { spaceId: string },
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    const { membership, isOpen } = await kind.enter(ctx, spaceId)
    if (membership === 'banned') throw new DomainError('BANNED')
    if (membership === 'member') return kind.answerOwn(ctx, spaceId)
    const userId = requireUser(ctx)
    if (!isOpen) throw new DomainError('FORBIDDEN')

    const changes = await setMembership(ctx, kind, { spaceId, act: 'joined', people: [{ userId, membership }] })
    // Where rows aren't locked, they may have been banned since.
    if (changes.length === 0 && (await kind.enter(ctx, spaceId)).membership === 'banned')
      throw new DomainError('BANNED')
    return publishMembers(ctx, kind, { spaceId, act: kind.acts.joined, userIds: [userId], changes })
  })
}

/**
 * Ends the caller's membership and their roles in the space; a mute stays, so that rejoining doesn't end it. Without a membership nothing
 * changes. Fails with NOT_FOUND as `joinSpace` does; FORBIDDEN in a conversation and for the last moderator of a community, BANNED for
 * people banned from a community.
 */
export function leaveSpace<Answer>(
  ctx: Ctx,
  kind: SpaceKind<Answer>,
  { spaceId }: { spaceId: string },
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    const people = await kind.exit(ctx, spaceId)
    return changeMembership(ctx, kind, { spaceId, act: 'left', userIds: [requireUser(ctx)], people })
  })
}
