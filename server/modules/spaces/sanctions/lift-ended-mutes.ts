import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { createSetAside } from '#server/core/set-aside.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import type { SpaceKind } from '#server/modules/spaces/membership/space-kind.ts'
import { endMutes } from '#server/modules/spaces/sanctions/mute-users.ts'

/** The number of people of each kind of space unmuted in one batch. */
const PEOPLE_PER_BATCH = 100

/**
 * Ends expired mutes, space by space: they had no effect any more, and now the end is published and logged. Returns how many there were. Locks
 * as manual mutes do: of two workers one ends a mute, and a new one stays.
 */
export async function liftEndedMutes(ctx: Ctx): Promise<number> {
  return (await liftIn(ctx, channelSpace)) + (await liftIn(ctx, communitySpace))
}

const setAside = createSetAside('mutes')

/** Uses channel_user_mute_ends or community_user_mute_ends. */
function liftIn(ctx: Ctx, kind: SpaceKind<unknown>): Promise<number> {
  const { table, members, id, locksRows } = kind
  return setAside.workBatch(ctx, async (batch) => {
    const ended = await query<{ spaceId: string; userIds: string[] }>(
      ctx,
      sql`
      select ${id} as space_id, array_agg(user_id order by user_id) as user_ids
      from (
        select ${id}, user_id from ${members}
        where mute_timeout <= ${ctx.now()} and ${batch.isTaken(sql`${id} || ' ' || user_id`)}
        order by mute_timeout ${sql.raw(`limit ${PEOPLE_PER_BATCH}`)}) due
      group by ${id}`,
    )
    batch.take(ended.flatMap(({ spaceId, userIds }) => userIds.map((userId) => `${spaceId} ${userId}`)))
    const lock = locksRows ? sql`for share` : sql`for no key update`
    for (const { spaceId, userIds } of ended) {
      await inTransaction(ctx, async (ctx) => {
        await execute(ctx, sql`select 1 as locked from ${table} where ${id} = ${spaceId} ${lock}`)
        await endMutes(ctx, kind, { spaceId, userIds })
      })
    }
  })
}
