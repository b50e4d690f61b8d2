import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { createSetAside } from '#server/core/set-aside.ts'
import { clearFlagsOnPeople } from '#server/modules/ledger/reports/clear-flags.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { lockMembers } from '#server/modules/spaces/membership/lock-people.ts'
import { changeMembership } from '#server/modules/spaces/membership/set-membership.ts'
import type { Concerned, SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import { releaseEverywhere } from '#server/modules/spaces/sanctions/ban-everywhere.ts'

/** The number of people unbanned in one transaction. */
const PEOPLE_PER_BATCH = 100

interface Ended {
  scope: 'channel' | 'community' | 'network'
  /** The channel or community; absent for the network. */
  spaceId: string
  userIds: string[]
  banIds: string[]
}

const setAside = createSetAside('bans')

/** Lifts expired bans, space by space; returns how many there were. Uses ban_ends. */
export function liftEndedBans(ctx: Ctx): Promise<number> {
  return setAside.workBatch(ctx, async (batch) => {
    const ended = await query<Ended>(
      ctx,
      sql`
      select scope, coalesce(channel_id, community_id, '') as space_id, array_agg(user_id order by user_id) as user_ids,
        array_agg(ban_id::text) as ban_ids
      from (
        select scope, channel_id, community_id, user_id, ban_id from ban
        where lifted_at is null and ends_at <= ${ctx.now()} and ${batch.isTaken(sql`ban_id::text`)}
        order by ends_at, ban_id ${sql.raw(`limit ${PEOPLE_PER_BATCH}`)}) due
      group by scope, coalesce(channel_id, community_id, '')`,
    )
    batch.take(ended.flatMap(({ banIds }) => banIds))
    for (const space of ended) await inTransaction(ctx, (ctx) => LIFT_IN[space.scope](ctx, space))
  })
}

const LIFT_IN: Record<Ended['scope'], (ctx: Ctx, ended: Ended) => Promise<void>> = {
  channel: (ctx, ended) => liftInSpace(ctx, channelSpace, ended),
  community: (ctx, ended) => liftInSpace(ctx, communitySpace, ended),
  network: liftInNetwork,
}

/**
 * Locks as manual bans and unbans do, and checks again which are over: of two workers one lifts each, and a person who was unbanned and
 * banned again in between stays banned.
 */
async function liftInSpace(ctx: Ctx, kind: SpaceKind<unknown>, ended: Ended): Promise<void> {
  const { spaceId, userIds } = ended
  const lock = kind.locksRows ? sql`for share` : sql`for no key update`
  await execute(ctx, sql`select 1 as locked from ${kind.table} where ${kind.id} = ${spaceId} ${lock}`)
  const locked = kind.locksRows ? await lockMembers(ctx, kind, { spaceId, userIds }) : userIds.map(asBanned)
  const due = (await closeEnded(ctx, ended)).map(({ userId }) => userId)
  const people = locked.filter(({ userId }) => due.includes(userId))
  if (people.length > 0) await changeMembership(ctx, kind, { spaceId, act: 'unbanned', userIds: due, people })
}

function asBanned(userId: string): Concerned {
  return { userId, membership: 'banned' }
}

/** What was reported before the ban was closed by it, and stays closed; a ban that a person lifts opens the reports again. */
async function liftInNetwork(ctx: Ctx, ended: Ended): Promise<void> {
  const { userIds } = ended
  await execute(
    ctx,
    sql`select user_id from network_user where user_id = any(${userIds}) order by user_id for no key update`,
  )
  const due = await closeEnded(ctx, ended)
  if (due.length === 0) return
  await clearFlagsOnPeople(
    ctx,
    due.map(({ userId, createdAt }) => ({ userId, until: createdAt })),
  )
  await releaseEverywhere(
    ctx,
    due.map(({ userId }) => userId),
  )
}

/** Compare-and-set: each is closed once. Returns the people whose ban it was, and since when they were banned. */
async function closeEnded(
  ctx: Ctx,
  { scope, spaceId, userIds }: Ended,
): Promise<{ userId: string; createdAt: Date }[]> {
  return query<{ userId: string; createdAt: Date }>(
    ctx,
    sql`
    with closed as (
      update ban set lifted_at = ${ctx.now()}, lifted_by = null
      where scope = ${scope}::ban_scope and coalesce(community_id, channel_id, '') = ${spaceId} and user_id = any(${userIds})
        and lifted_at is null and ends_at <= ${ctx.now()}
      returning user_id, created_at)
    select user_id, created_at from closed order by user_id`,
  )
}
