import { type BanTerms, toAuditTerms } from '#server/core/ban-terms.ts'
import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'
import { type LockedMember, lockAnyone, lockMembers } from '#server/modules/spaces/communities/lock-members.ts'
import { publishMembers } from '#server/modules/spaces/communities/publish-members.ts'
import type { CommunitiesAnswer } from '#server/modules/spaces/communities/schema.ts'
import { setMembership } from '#server/modules/spaces/communities/set-membership.ts'

interface Members {
  communityId: string
  userIds: string[]
}

/**
 * Bans users from a community, all of them or none; also people who aren't members, so that leaving in time doesn't avoid a ban. A ban
 * removes their roles there. Fails with CANNOT_BAN for oneself and anyone not of lower rank, BANNED where one is banned already, NOT_FOUND
 * for an unknown user.
 */
export function banMembers(
  ctx: Ctx,
  { communityId, userIds, terms = {} }: Members & { terms?: BanTerms },
): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    await lockForBans(ctx, communityId)
    const members = await lockAnyone(ctx, { communityId, userIds })
    if (members.some(({ userId, isOutranked }) => !isOutranked || userId === actingUserId(ctx))) {
      throw new DomainError('CANNOT_BAN')
    }
    if (members.some(({ membership }) => membership === 'banned')) throw new DomainError('BANNED')

    await setMembership(ctx, { communityId, members, to: 'banned', reason: 'banned' })
    await query(
      ctx,
      Prisma.sql`
      insert into ban (scope, community_id, user_id, banned_by, reason, ends_at, created_at)
      select 'community', ${communityId}, banned, ${actingUserId(ctx) ?? null}, ${terms.reason ?? null}, ${terms.endsAt ?? null}, ${ctx.now()}
      from unnest(${idsOf(members)}::text[]) as banned
      on conflict do nothing returning 1 as banned`,
    )
    return publishMembers(ctx, {
      communityId,
      action: 'community.userBanned',
      event: 'v3.community.didBan',
      changed: members.map((member) => ({
        userId: member.userId,
        before: { membership: member.membership, roles: member.roles },
        after: { membership: 'banned', ...toAuditTerms(terms) },
      })),
    })
  })
}

/**
 * Lifts bans, all of them or none: the people are not members, and may join again. Fails with NOT_BANNED where one is not banned, FORBIDDEN
 * for anyone not of lower rank.
 */
export function unbanMembers(ctx: Ctx, { communityId, userIds }: Members): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    await lockForBans(ctx, communityId)
    const members = await lockMembers(ctx, { communityId, userIds })
    const areBanned = members.every(({ membership }) => membership === 'banned')
    if (!areBanned || members.length < new Set(userIds).size) throw new DomainError('NOT_BANNED')
    if (members.some(({ isOutranked }) => !isOutranked)) throw new DomainError('FORBIDDEN')

    return releaseMembers(ctx, communityId, members)
  })
}

/** Lifts the bans of locked rows: the people are not members, and may join again. */
export async function releaseMembers(
  ctx: Ctx,
  communityId: string,
  members: LockedMember[],
): Promise<CommunitiesAnswer> {
  await setMembership(ctx, { communityId, members, to: 'none' })
  await liftBans(ctx, { communityId, userIds: idsOf(members) })
  return publishMembers(ctx, {
    communityId,
    action: 'community.userUnbanned',
    event: 'v3.community.didUnban',
    changed: members.map(({ userId }) => ({
      userId,
      before: { membership: 'banned' },
      after: { membership: 'none' },
    })),
  })
}

/**
 * Removes users and lifts their bans; people who aren't members stay so
 * (docs/interface/community-members-and-roles.md#add-and-remove-members).
 */
export function removeMembers(ctx: Ctx, { communityId, userIds }: Members): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    const mayAct = mayInCommunity(ctx, 'removeMembers', Prisma.sql`k.community_id`)
    await lockCommunity(ctx, communityId, { mayAct })
    const found = await lockMembers(ctx, { communityId, userIds })
    const members = found.filter(({ membership }) => membership !== 'none')
    if (members.some(({ isOutranked }) => !isOutranked)) throw new DomainError('FORBIDDEN')
    if (members.length === 0) return buildCommunitiesEnvelope(ctx, [communityId], userIds)

    await setMembership(ctx, { communityId, members, to: 'none', reason: 'removed' })
    await liftBans(ctx, { communityId, userIds: idsOf(members) })
    return publishMembers(ctx, {
      communityId,
      action: 'community.userRemoved',
      event: 'v3.community.didRemoveUsers',
      changed: members.map((member) => ({
        userId: member.userId,
        before: { membership: member.membership, roles: member.roles },
        after: { membership: 'none' },
      })),
    })
  })
}

async function lockForBans(ctx: Ctx, communityId: string): Promise<void> {
  await lockCommunity(ctx, communityId, { mayAct: mayInCommunity(ctx, 'banMembers', Prisma.sql`k.community_id`) })
}

function idsOf(members: LockedMember[]): string[] {
  return members.map(({ userId }) => userId)
}

/** Uses ban_in_force. */
async function liftBans(ctx: Ctx, { communityId, userIds }: Members): Promise<void> {
  await ctx.db.ban.updateMany({
    where: { scope: 'community', communityId, userId: { in: userIds }, liftedAt: null },
    data: { liftedAt: ctx.now(), liftedBy: actingUserId(ctx) ?? actorName(ctx) },
  })
}
