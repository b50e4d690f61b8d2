import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { excerptOf } from '#server/core/excerpt.ts'
import { present } from '#server/core/present.ts'
import { IS_HELD, isOfType } from '#server/modules/content/items/held.ts'
import { holdsInNetwork, managesRules, SCHEDULE } from '#server/modules/integrations/notifications/active-staff.ts'
import type { Schedule } from '#server/modules/integrations/notifications/due-time.ts'
import type { Topic } from '#server/modules/integrations/notifications/schema.ts'
import { mayDecide, mayDecideRow } from '#server/modules/review/decisions/may-decide.ts'

/** More overdue items than this aren't counted. */
export const COUNTED = 1_000

/** Who is notified. */
export interface Recipient extends Schedule {
  userId: string
  staffId: string
  email: string
  recipientName: string
  language: 'en' | 'de' | 'ar'
}

interface Facts {
  notificationId: string
  topic: Topic
  subjectType: string
  subjectId: string
  /** The community or channel, by name; null for the network. */
  place: string | null
  /** Who escalated an item. */
  by: string | null
  /** Of a rule, or the address of an endpoint. */
  name: string | null
  /** Of reports, or of overdue items up to COUNTED. */
  count: number | null
  /** How long items may wait there. */
  minutes: number | null
  /** Whether an endpoint is off. */
  isOff: boolean | null
}

/** What a notification says, as it is now. */
export interface DueNotification extends Facts {
  /** The beginning of what was written, if the network allows it and the person doesn't have texts covered. */
  text?: string
}

export interface ReadNotifications {
  recipient: Recipient
  notifications: DueNotification[]
}

/**
 * Reads what these notifications tell, by person: as it is now, with their permissions as they are now. What is over by now, or no longer theirs to know,
 * is left out. Uses notification_pkey.
 */
export async function readNotifications(ctx: Ctx, notificationIds: string[]): Promise<Map<string, ReadNotifications>> {
  const rows = await query<Recipient & Facts & { written: string | null }>(
    ctx,
    sql`
    with mine as (
      select n.notification_id, n.topic, n.subject_type, n.subject_id, n.user_id from notification n
      where n.notification_id = any(${notificationIds}::bigint[]) and n.state = 'waiting'),
    told as (${sql.join([ESCALATED, REPORTS, overdue(ctx), RULES, WEBHOOKS], ' union all ')})
    select n.notification_id::text as notification_id, n.topic, n.subject_type, n.subject_id, n.user_id, told.by, told.name, told.count, told.minutes,
      told.is_off, case when s.includes_text and coalesce(f.preferences ->> 'coveredText', 'none') = 'none' then told.written end as written,
      coalesce(nullif(k.display_name, ''), k.community_id, nullif(ch.display_name, ''), ch.channel_id) as place,
      a.id as staff_id, a.email, a.name as recipient_name, coalesce(f.preferences ->> 'language', 'en') as language, ${SCHEDULE}
    from mine n join told using (notification_id)
    join staff_account a on a.network_user_id = n.user_id join notification_person p on p.user_id = n.user_id
    left join staff_preference f on f.user_id = n.user_id
    left join community k on k.community_id = told.community_id left join channel ch on ch.channel_id = told.channel_id
    cross join notification_settings s
    order by n.notification_id`,
  )
  const read = new Map<string, ReadNotifications>()
  for (const {
    userId,
    staffId,
    email,
    recipientName,
    language,
    zone,
    digestHour,
    quietFrom,
    quietUntil,
    written,
    ...facts
  } of rows) {
    const recipient = { userId, staffId, email, recipientName, language, zone, digestHour, quietFrom, quietUntil }
    const known = read.get(userId) ?? { recipient, notifications: [] }
    known.notifications.push({ ...facts, ...present({ text: excerptOf(written ?? '') }) })
    read.set(userId, known)
  }
  return read
}

/** A person `u` with their account `a`, both in use, of a notification `n`. */
const WITH_PERSON = sql`
  join network_user u on u.user_id = n.user_id and not u.is_deleted and not u.is_global_ban
  join staff_account a on a.network_user_id = u.user_id and not a.is_disabled`

/** An item, without what was written in a conversation. */
export const ITEM = sql`i.community_id, case when ch.type <> 'conversation' then i.channel_id end as channel_id, i.escalated_by_name as by, null as name,
  i.flag_count as count, null::int as minutes, null::boolean as is_off,
  case when ch.type is distinct from 'conversation' then concat_ws(' ', i.title, i.text) end as written`
const MAY_DECIDE = mayDecideRow(sql`i`, { authorId: sql`i.author_id`, channelId: sql`i.channel_id` })

/** Where an item is held and reported, and both were handed over, there is one notification. */
const ESCALATED = sql`
  select distinct on (n.notification_id) n.notification_id, ${ITEM}
  from mine n ${WITH_PERSON} join review_item i on i.subject_type = n.subject_type and i.subject_id = n.subject_id
  left join channel ch on ch.channel_id = i.channel_id
  where n.topic = 'escalated' and i.state = 'waiting' and i.escalated_at is not null and i.handed_to = n.user_id and ${MAY_DECIDE}`

const REPORTS = sql`
  select n.notification_id, ${ITEM}
  from mine n ${WITH_PERSON} join review_item i on i.subject_type = n.subject_type and i.subject_id = n.subject_id and i.kind = 'reported'
  left join channel ch on ch.channel_id = i.channel_id
  where n.topic = 'reports' and i.state = 'waiting' and ${MAY_DECIDE}`

/** Of the types that the person reviews. Uses review_item_in_community. */
function overdue(ctx: Ctx): Sql {
  const those = (type: 'comment' | 'post') => sql`
    select from review_item i
    where i.community_id = t.community_id and ${isOfType(type)} and ${IS_HELD}
      and i.placed_at <= ${ctx.now()}::timestamptz - make_interval(mins => t.within_minutes)
      and ${mayDecide({ subjectType: type, communityId: sql`t.community_id`, authorId: sql`''` })}`
  return sql`
    select n.notification_id, t.community_id, null, null, null, late.count, t.within_minutes, null, null
    from mine n ${WITH_PERSON} join service_target t on t.community_id = n.subject_id
    join community open on open.community_id = t.community_id and not open.is_deleted
    cross join lateral (
      select count(*)::int as count from (${those('comment')} union all ${those('post')} ${sql.raw(`limit ${COUNTED}`)}) late) late
    where n.topic = 'overdue' and late.count > 0`
}

/** Unless it is live again. */
const RULES = sql`
  select n.notification_id, r.community_id, null, null, r.name, null, null, null, null
  from mine n ${WITH_PERSON} join rule r on r.rule_id = n.subject_id
  where n.topic = 'rules' and r.state = 'shadow' and not r.is_archived and ${managesRules(sql`r.community_id`)}`

const WEBHOOKS = sql`
  select n.notification_id, null, null, null, w.url, null, null, w.disabled_at is not null, null
  from mine n ${WITH_PERSON} join webhook_endpoint w on w.endpoint_id = n.subject_id
  where n.topic = 'webhooks' and w.removed_at is null and (w.failing_since is not null or w.disabled_reason = 'failing')
    and ${holdsInNetwork('MANAGE_CREDENTIALS')}`
