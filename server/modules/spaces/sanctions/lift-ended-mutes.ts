import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { endMutes } from '#server/modules/spaces/sanctions/mute-users.ts'

/** The number of people unmuted in one transaction. */
const PEOPLE_PER_BATCH = 100

/**
 * Ends expired mutes, channel by channel: they had no effect any more, and now the end is published and logged. Returns how many there
 * were. Locks as manual mutes do: of two workers one ends a mute, and a new one stays. Uses channel_user_mute_ends.
 */
export async function liftEndedMutes(ctx: Ctx): Promise<number> {
  const ended = await query<{ channelId: string; userIds: string[] }>(
    ctx,
    sql`
    select channel_id, array_agg(user_id order by user_id) as user_ids
    from (
      select channel_id, user_id from channel_user
      where mute_timeout <= ${ctx.now()} order by mute_timeout ${sql.raw(`limit ${PEOPLE_PER_BATCH}`)}) due
    group by channel_id`,
  )
  for (const { channelId, userIds } of ended) {
    await inTransaction(ctx, async (ctx) => {
      await execute(ctx, sql`select channel_id from channel where channel_id = ${channelId} for no key update`)
      await endMutes(ctx, channelId, userIds)
    })
  }
  return ended.reduce((count, { userIds }) => count + userIds.length, 0)
}
