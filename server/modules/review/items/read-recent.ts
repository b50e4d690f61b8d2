import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { mayModerateMessages } from '#server/modules/content/messages/lock-message.ts'
import { type QuotedRow, type QuotesWanted, toQuoted } from '#server/modules/review/items/read-surroundings.ts'
import type { RecentContent } from '#server/modules/review/items/schema.ts'
import { mayReviewReportsIn } from '#server/modules/review/queue/reported.ts'
import { mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'

const SHOWN = 8

/**
 * The latest comments, posts and messages of a person, newest first, among those the caller reviews; what the author deleted is left out, as
 * are conversations the caller isn't in. Uses comment_of_author, post_of_author and message_of_author.
 */
export async function readRecent(ctx: Ctx, userId: string, wanted: QuotesWanted = {}): Promise<RecentContent[]> {
  const none = sql`null::text`
  const reviews = (type: 'comment' | 'post', communityId: Sql) =>
    mayReviewReportsIn(ctx, { type: sql`'${sql.raw(type)}'`, communityId, channelId: none })
  const rows = await query<QuotedRow & Pick<RecentContent, 'subjectType'> & { spaceName: string | null }>(
    ctx,
    sql`
    select one.*, u.user_id, u.display_name, coalesce(nullif(k.display_name, ''), k.community_id, nullif(ch.display_name, ''), ch.channel_id) as space_name
    from (
      (select 'comment' as subject_type, c.comment_id as id, c.data, c.created_at, c.approval_status::text, c.is_deleted, c.community_id,
        ${none} as channel_id
      from comment c where c.user_id = ${userId} and (not c.is_deleted or c.approval_status = 'rejected')
        and ${reviews('comment', sql`c.community_id`)}
      order by c.created_at desc, c.comment_id ${sql.raw(`limit ${SHOWN}`)})
      union all
      (select 'post', p.post_id, p.data, p.created_at, null, p.is_deleted, p.community_id, ${none}
      from post p where p.posted_user_id = ${userId} and not p.is_deleted and ${reviews('post', sql`p.community_id`)}
      order by p.created_at desc, p.post_id ${sql.raw(`limit ${SHOWN}`)})
      union all
      (select 'message', m.message_id, m.data, m.created_at, null, m.is_deleted, ${none}, m.channel_id
      from message m where m.user_id = ${userId} and not m.is_deleted
        and exists (select from channel c where c.channel_id = m.channel_id and ${mayModerateMessages(ctx)} and ${mayReadChannel(ctx)})
      order by m.created_at desc, m.message_id ${sql.raw(`limit ${SHOWN}`)})
    ) one
    join network_user u on u.user_id = ${userId}
    left join community k on k.community_id = one.community_id
    left join channel ch on ch.channel_id = one.channel_id
    order by one.created_at desc, one.id ${sql.raw(`limit ${SHOWN}`)}`,
  )
  return rows.map((row) => ({
    ...toQuoted(row, wanted),
    subjectType: row.subjectType,
    ...(row.spaceName !== null && { spaceName: row.spaceName }),
  }))
}
