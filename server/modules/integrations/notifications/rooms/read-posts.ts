import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { excerptOf } from '#server/core/excerpt.ts'
import { present } from '#server/core/present.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'
import { COUNTED, type DueNotification, ITEM } from '#server/modules/integrations/notifications/read-notifications.ts'
import { isItemInScope } from '#server/modules/integrations/notifications/rooms/fill-posts.ts'

type PostRow = Omit<DueNotification, 'text'> & { roomId: string; written: string | null }

/**
 * Reads what these posts tell, by room: as it is now, and only what is in the scope that the room has now. What is over by now is left out. Uses chat_post_pkey.
 */
export async function readPosts(ctx: Ctx, postIds: string[]): Promise<Map<string, DueNotification[]>> {
  const rows = await query<PostRow>(
    ctx,
    sql`
    with mine as (
      select n.post_id, n.topic, n.subject_type, n.subject_id, r.room_id, r.community_id as of_community
      from chat_post n join chat_room r on r.room_id = n.room_id
      where n.post_id = any(${postIds}::bigint[]) and n.state = 'waiting' and r.removed_at is null and n.topic = any(r.topics)),
    told as (${sql.join([ESCALATED, REPORTS, overdue(ctx), RULES, WEBHOOKS], ' union all ')})
    select n.post_id::text as notification_id, n.topic, n.subject_type, n.subject_id, n.room_id, told.by, told.name, told.count, told.minutes,
      told.is_off, case when s.includes_text then told.written end as written,
      coalesce(nullif(k.display_name, ''), k.community_id, nullif(ch.display_name, ''), ch.channel_id) as place
    from mine n join told using (post_id)
    left join community k on k.community_id = told.community_id left join channel ch on ch.channel_id = told.channel_id
    cross join notification_settings s
    order by n.post_id`,
  )
  const read = new Map<string, DueNotification[]>()
  for (const { roomId, written, ...facts } of rows) {
    const posts = read.get(roomId) ?? []
    posts.push({ ...facts, ...present({ text: excerptOf(written ?? '') }) })
    read.set(roomId, posts)
  }
  return read
}

const IN_SCOPE = isItemInScope(sql`n.of_community`)
const isOf = (communityColumn: Sql) => sql`(n.of_community is null or n.of_community = ${communityColumn})`

/** Where an item is held and reported, and both were escalated, there is one post. */
const ESCALATED = sql`
  select distinct on (n.post_id) n.post_id, ${ITEM}
  from mine n join review_item i on i.subject_type = n.subject_type and i.subject_id = n.subject_id
  left join channel ch on ch.channel_id = i.channel_id
  where n.topic = 'escalated' and i.state = 'waiting' and i.escalated_at is not null and ${IN_SCOPE}`

const REPORTS = sql`
  select n.post_id, ${ITEM}
  from mine n join review_item i on i.subject_type = n.subject_type and i.subject_id = n.subject_id and i.kind = 'reported'
  left join channel ch on ch.channel_id = i.channel_id
  where n.topic = 'reports' and i.state = 'waiting' and ${IN_SCOPE}`

/** Uses review_item_in_community. */
function overdue(ctx: Ctx): Sql {
  return sql`
  select n.post_id, t.community_id, null, null, null, late.count, t.within_minutes, null, null
  from mine n join service_target t on t.community_id = n.subject_id
  join community open on open.community_id = t.community_id and not open.is_deleted
  cross join lateral (
    select count(*)::int as count from (
      select from review_item i where i.community_id = t.community_id and ${IS_HELD}
        and i.placed_at <= ${ctx.now()}::timestamptz - make_interval(mins => t.within_minutes) ${sql.raw(`limit ${COUNTED}`)}) late) late
  where n.topic = 'overdue' and late.count > 0 and ${isOf(sql`t.community_id`)}`
}

/** Unless it is live again. */
const RULES = sql`
  select n.post_id, r.community_id, null, null, r.name, null, null, null, null
  from mine n join rule r on r.rule_id = n.subject_id
  where n.topic = 'rules' and r.state = 'shadow' and not r.is_archived and ${isOf(sql`r.community_id`)}`

const WEBHOOKS = sql`
  select n.post_id, null, null, null, w.url, null, null, w.disabled_at is not null, null
  from mine n join webhook_endpoint w on w.endpoint_id = n.subject_id
  where n.topic = 'webhooks' and w.removed_at is null and (w.failing_since is not null or w.disabled_reason = 'failing')
    and n.of_community is null`
