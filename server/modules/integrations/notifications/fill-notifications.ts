import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { createSetAside, type SetAside } from '#server/core/set-aside.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'
import {
  CHOOSERS,
  holdsInNetwork,
  IS_REACHED,
  managesRules,
  SCHEDULE,
} from '#server/modules/integrations/notifications/active-staff.ts'
import { dueAt, type Schedule } from '#server/modules/integrations/notifications/due-time.ts'
import type { NotificationChannel, Pace, Topic } from '#server/modules/integrations/notifications/schema.ts'
import { mayDecide, mayDecideRow } from '#server/modules/review/decisions/may-decide.ts'

const EVENTS_A_BATCH = 1_000
/** There are notifications of an endpoint that has failed for so long, */
const FAILS_FOR_MS = 15 * 60_000
/** and of a community with overdue items this often at most. */
const OVERDUE_EVERY_MS = 3_600_000
/** Rows are dated before they are committed: each look goes back by so much. */
const LOOKS_BACK_MS = 60_000
const DAY_MS = 86_400_000

const FLAGGED = ['v3.comment.didFlag', 'v3.post.didFlag', 'message.didFlag', 'user.didFlag']

/** A notification that one person chose to get. */
interface Wanted extends Schedule {
  userId: string
  topic: Topic
  channel: NotificationChannel
  pace: Pace
  subjectType: string
  subjectId: string
  key: string
}

interface Position {
  readTo: string
  lookedAt: Date
}

interface Seen extends Position {
  /** The number of the last event of this batch. */
  end: string
  count: number
}

const [byEvents, byTime] = [createSetAside('notifications of events'), createSetAside('notifications of times')]

/**
 * Writes the notifications of what happened since the last time, by its events: writes of the desk don't change for it. Only then the position moves, so that
 * nothing is lost if this process dies; what is written twice, also by another process, has the same key and counts once. Someone whose notifications
 * can't be written is set aside alone. True if more may be left. Uses event_seq_idx.
 */
export async function fillNotifications(ctx: Ctx): Promise<boolean> {
  const seen = await queryOne<Seen>(
    ctx,
    sql`
    select n.read_to::text as read_to, n.looked_at, coalesce(next.last, n.read_to)::text as "end", next.count
    from notification_position n cross join lateral (
      select max(seq) as last, count(*)::int as count from (
        select seq from event where seq > n.read_to order by seq ${sql.raw(`limit ${EVENTS_A_BATCH}`)}) events) next`,
  )
  if (seen === undefined || seen.count === 0) return false
  await storeWanted(ctx, byEvents, fromEvents(seen))
  await execute(
    ctx,
    sql`update notification_position set read_to = ${seen.end}::bigint where read_to = ${seen.readTo}::bigint`,
  )
  return seen.count === EVENTS_A_BATCH
}

/** Writes the notifications of what becomes due without an event, overdue items and endpoints that keep failing, in the same way. */
export async function lookForNotifications(ctx: Ctx): Promise<false> {
  const position = await queryOne<Position>(
    ctx,
    sql`select read_to::text as read_to, looked_at from notification_position`,
  )
  if (position === undefined) return false
  await storeWanted(ctx, byTime, sql`${overdueSince(ctx, position)} union all ${failing(ctx)}`)
  await execute(
    ctx,
    sql`update notification_position set looked_at = ${ctx.now()} where looked_at = ${position.lookedAt}`,
  )
  return false
}

async function storeWanted(ctx: Ctx, setAside: SetAside, selecting: Sql): Promise<void> {
  await setAside.workBatch(ctx, async (batch) => {
    const wanted = await query<Wanted>(
      ctx,
      sql`select * from (${selecting}) wanted where ${batch.isTaken(sql`wanted.user_id`)}`,
    )
    batch.take(wanted.map(({ userId }) => userId))
    await storeNotifications(ctx, wanted)
  })
}

const CHOICE = sql`c.user_id, c.topic, c.channel, c.pace, ${SCHEDULE}`

/** Of several events about the same, the last one counts. Who did it themselves isn't told. */
function fromEvents({ readTo, end }: Seen): Sql {
  return sql`
    with seen as (
      select distinct on (name, subject_type, subject_id) seq, name, subject_type, subject_id, community_id, payload
      from event where seq > ${readTo}::bigint and seq <= ${end}::bigint
      order by name, subject_type, subject_id, seq desc)
    select ${CHOICE}, i.subject_type, i.subject_id, e.seq::text as key
    from seen e join review_item i on i.subject_type = e.subject_type and i.subject_id = e.subject_id
      and i.kind = case when e.name like '%Report' then 'reported' else 'held' end
    ${choosersOf('escalated', sql`c.user_id = i.handed_to`)}
    where e.name like 'desk.%.didEscalate%' and i.state = 'waiting' and i.escalated_at is not null
      and i.handed_to is distinct from e.payload ->> 'by'
    union all
    select ${CHOICE}, i.subject_type, i.subject_id, extract(epoch from i.opened_at)::text
    from seen e join review_item i on i.subject_type = e.subject_type and i.subject_id = e.subject_id and i.kind = 'reported'
    ${choosersOf('reports', sql`i.flag_count >= p.reports_from`)}
    where e.name = any(${FLAGGED}) and i.state = 'waiting'
      and ${mayDecideRow(sql`i`, { authorId: sql`i.author_id`, channelId: sql`i.channel_id` })}
    union all
    select ${CHOICE}, 'rule', e.subject_id, e.seq::text
    from seen e ${choosersOf('rules', managesRules(sql`e.community_id`))}
    where e.name = 'desk.rule.didChange' and e.payload ->> 'action' = 'rule.overturned'`
}

/** Communities with a target in which items have become overdue since then. Uses review_item_in_community. */
function overdueSince(ctx: Ctx, { lookedAt }: Position): Sql {
  const now = ctx.now()
  const from = new Date(lookedAt.getTime() - LOOKS_BACK_MS)
  const within = sql`make_interval(mins => t.within_minutes)`
  return sql`
    select ${CHOICE}, 'community' as subject_type, t.community_id as subject_id, ${lookedAt.toISOString()}::text as key
    from service_target t join community k on k.community_id = t.community_id and not k.is_deleted
    ${choosersOf('overdue', reviewsIn(sql`t.community_id`))}
    where exists (
      select from review_item i where i.community_id = t.community_id and ${IS_HELD}
        and i.placed_at > ${from}::timestamptz - ${within} and i.placed_at <= ${now}::timestamptz - ${within})
      and not exists (
        select from notification told where told.user_id = c.user_id and told.channel = c.channel and told.topic = c.topic
          and told.subject_type = 'community' and told.subject_id = t.community_id
          and (told.state = 'waiting' or told.created_at > ${new Date(now.getTime() - OVERDUE_EVERY_MS)}))`
}

/** Whether `u` reviews what the community of the column holds. */
function reviewsIn(communityColumn: Sql): Sql {
  const mayReview = (subjectType: 'comment' | 'post') =>
    mayDecide({ subjectType, communityId: communityColumn, authorId: sql`''` })
  return sql`(${mayReview('comment')} or ${mayReview('post')})`
}

/** Endpoints that have failed for a while, and those that were switched off for it today: one notification each. */
function failing(ctx: Ctx): Sql {
  const now = ctx.now().getTime()
  return sql`
    select ${CHOICE}, 'webhook', w.endpoint_id,
      case when w.disabled_at is null then 'failing ' || extract(epoch from w.failing_since) else 'off ' || extract(epoch from w.disabled_at) end
    from webhook_endpoint w ${choosersOf('webhooks', holdsInNetwork('MANAGE_CREDENTIALS'))}
    where w.removed_at is null and (w.disabled_at is null and w.failing_since <= ${new Date(now - FAILS_FOR_MS)}
      or w.disabled_reason = 'failing' and w.disabled_at > ${new Date(now - DAY_MS)})`
}

/** For `from`: the people who chose this topic, where the condition holds. */
function choosersOf(topic: Topic, isTheirs: Sql): Sql {
  return sql`join (${CHOOSERS}) on c.topic = ${topic} and ${IS_REACHED} and ${isTheirs}`
}

/** A notification that was written before, or one about the same that is still pending, isn't written again. */
async function storeNotifications(ctx: Ctx, wanted: Wanted[]): Promise<void> {
  if (wanted.length === 0) return
  const now = ctx.now()
  const rows = wanted.map(({ userId, topic, channel, subjectType, subjectId, key, pace, ...schedule }) => ({
    ...{ userId, topic, channel, subjectType, subjectId, key },
    dueAt: dueAt(pace, schedule, now),
  }))
  await execute(
    ctx,
    sql`
    insert into notification (user_id, topic, channel, subject_type, subject_id, key, due_at, created_at)
    select made."userId", made.topic, made.channel, made."subjectType", made."subjectId", made.key, made."dueAt", ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as made("userId" text, topic text, channel text, "subjectType" text,
      "subjectId" text, key text, "dueAt" timestamptz)
    where not exists (
      select from notification n where n.user_id = made."userId" and n.channel = made.channel and n.topic = made.topic
        and n.subject_type = made."subjectType" and n.subject_id = made."subjectId" and n.state = 'waiting')
    on conflict do nothing`,
  )
}
