import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { releaseEverywhere } from '#server/modules/accounts/access/ban-everywhere.ts'
import { releaseUsers } from '#server/modules/spaces/channels/unban-users.ts'
import { releaseMembers } from '#server/modules/spaces/communities/ban-members.ts'
import { lockMembers } from '#server/modules/spaces/communities/lock-members.ts'

/** The number of people unbanned in one transaction. */
const PEOPLE_PER_BATCH = 100

interface Ended {
  scope: 'channel' | 'community' | 'network'
  /** The channel or community; absent for the network. */
  spaceId: string
  userIds: string[]
}

/** Lifts expired bans, space by space; returns how many there were. Uses ban_ends. */
export async function liftEndedBans(ctx: Ctx): Promise<number> {
  const ended = await query<Ended>(
    ctx,
    Prisma.sql`
    select scope, coalesce(channel_id, community_id, '') as "placeId", array_agg(user_id order by user_id) as "userIds"
    from (
      select scope, channel_id, community_id, user_id from ban
      where lifted_at is null and ends_at <= ${ctx.now()} order by ends_at, ban_id ${Prisma.raw(`limit ${PEOPLE_PER_BATCH}`)}) due
    group by scope, coalesce(channel_id, community_id, '')`,
  )
  for (const space of ended) await inTransaction(ctx, (ctx) => liftIn(ctx, space))
  return ended.reduce((count, { userIds }) => count + userIds.length, 0)
}

/**
 * Locks as manual bans and unbans do, and checks again which are over: of two workers one lifts each, and a person who was unbanned and
 * banned again in between stays banned.
 */
async function liftIn(ctx: Ctx, space: Ended): Promise<void> {
  await lockSpace(ctx, space)
  const due = await closeEnded(ctx, space)
  if (due.length === 0) return
  switch (space.scope) {
    case 'channel':
      await releaseUsers(ctx, space.spaceId, due)
      return
    case 'community': {
      const members = await lockMembers(ctx, { communityId: space.spaceId, userIds: due })
      const banned = members.filter(({ membership }) => membership === 'banned')
      if (banned.length > 0) await releaseMembers(ctx, space.spaceId, banned)
      return
    }
    case 'network':
      for (const userId of due) await releaseEverywhere(ctx, userId)
  }
}

async function lockSpace(ctx: Ctx, { scope, spaceId, userIds }: Ended): Promise<void> {
  switch (scope) {
    case 'channel':
      await query(ctx, Prisma.sql`select channel_id from channel where channel_id = ${spaceId} for no key update`)
      return
    case 'community':
      await query(ctx, Prisma.sql`select community_id from community where community_id = ${spaceId} for share`)
      await lockMembers(ctx, { communityId: spaceId, userIds })
      return
    case 'network':
      await query(
        ctx,
        Prisma.sql`select user_id from network_user where user_id = any(${userIds}) order by user_id for no key update`,
      )
  }
}

/** Compare-and-set: each is closed once. Returns the people whose ban it was. */
async function closeEnded(ctx: Ctx, { scope, spaceId, userIds }: Ended): Promise<string[]> {
  const closed = await query<{ userId: string }>(
    ctx,
    Prisma.sql`
    update ban set lifted_at = ${ctx.now()}, lifted_by = null
    where scope = ${scope}::ban_scope and coalesce(community_id, channel_id, '') = ${spaceId} and user_id = any(${userIds})
      and lifted_at is null and ends_at <= ${ctx.now()}
    returning user_id as "userId"`,
  )
  return closed.map(({ userId }) => userId).sort()
}
