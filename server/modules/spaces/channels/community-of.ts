import { type Sql, sql } from '#server/core/db.ts'

/** The community whose channel the row of `channel` is, as a query for its `community_id`. Uses community_channel_id_idx. */
export function communityOf(channel: Sql): Sql {
  return sql`
    select owner.community_id from community owner
    where owner.channel_id = ${channel}.channel_id and not owner.is_deleted order by owner.community_id limit 1`
}
