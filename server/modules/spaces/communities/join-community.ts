import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { requireUser } from '#server/core/require-user.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import { ensureModeratorRemains } from '#server/modules/spaces/communities/ensure-moderator-remains.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'
import { lockAnyone, lockMembers } from '#server/modules/spaces/communities/lock-members.ts'
import { publishMembers } from '#server/modules/spaces/communities/publish-members.ts'
import type { CommunitiesAnswer } from '#server/modules/spaces/communities/schema.ts'
import { isModerator, setMembership } from '#server/modules/spaces/communities/set-membership.ts'

/**
 * Joins a public community; joining again changes nothing. Fails with BANNED for people banned there, FORBIDDEN for one that people join
 * only by being added or approved, NOT_FOUND for one the caller may not see.
 */
export function joinCommunity(ctx: Ctx, { communityId }: { communityId: string }): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    const userId = requireUser(ctx)
    const community = await lockCommunity(ctx, communityId, { mayAct: Prisma.sql`true` })
    const isOpenToAll = community.isPublic && !community.requiresJoinApproval
    const members = isOpenToAll
      ? await lockAnyone(ctx, { communityId, userIds: [userId] })
      : await lockMembers(ctx, { communityId, userIds: [userId] })
    const membership = members[0]?.membership ?? 'none'
    if (membership === 'banned') throw new DomainError('BANNED')
    if (membership === 'member') return buildCommunitiesEnvelope(ctx, [communityId])
    if (!isOpenToAll) throw new DomainError('FORBIDDEN')

    await setMembership(ctx, { communityId, members, to: 'member' })
    return publishMembers(ctx, {
      communityId,
      action: 'community.userJoined',
      event: 'v3.community.didJoin',
      changed: [{ userId, before: { membership }, after: { membership: 'member' } }],
    })
  })
}

/** Leaves a community; people who aren't members stay so. Fails with BANNED for people banned there, FORBIDDEN for its last moderator. */
export function leaveCommunity(ctx: Ctx, { communityId }: { communityId: string }): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    const userId = requireUser(ctx)
    await lockCommunity(ctx, communityId, { mayAct: Prisma.sql`true`, isAlone: true })
    const [member] = await lockMembers(ctx, { communityId, userIds: [userId] })
    if (member?.membership === 'banned') throw new DomainError('BANNED')
    if (member?.membership !== 'member') return buildCommunitiesEnvelope(ctx, [communityId])
    if (isModerator(member)) await ensureModeratorRemains(ctx, communityId, [userId])

    await setMembership(ctx, { communityId, members: [member], to: 'none', reason: 'left' })
    return publishMembers(ctx, {
      communityId,
      action: 'community.userLeft',
      event: 'v3.community.didLeave',
      changed: [{ userId, before: { membership: 'member', roles: member.roles }, after: { membership: 'none' } }],
    })
  })
}

/** Adds existing users; members stay as they are. Fails with BANNED where one is banned there. */
export function addMembers(
  ctx: Ctx,
  { communityId, userIds }: { communityId: string; userIds: string[] },
): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    const mayAct = mayInCommunity(ctx, 'addMembers', Prisma.sql`k.community_id`)
    await lockCommunity(ctx, communityId, { mayAct })
    const found = await lockAnyone(ctx, { communityId, userIds })
    if (found.some(({ membership }) => membership === 'banned')) throw new DomainError('BANNED')
    const members = found.filter(({ membership }) => membership === 'none')
    if (members.length === 0) return buildCommunitiesEnvelope(ctx, [communityId], userIds)

    await setMembership(ctx, { communityId, members, to: 'member' })
    await publishMembers(ctx, {
      communityId,
      action: 'community.userAdded',
      event: 'v3.community.didAddUsers',
      changed: members.map(({ userId }) => ({
        userId,
        before: { membership: 'none' },
        after: { membership: 'member' },
      })),
    })
    return buildCommunitiesEnvelope(ctx, [communityId], userIds)
  })
}
