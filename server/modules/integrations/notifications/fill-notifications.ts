import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { createSetAside, type SetAside } from '#server/core/set-aside.ts'
import {
  CHOOSERS,
  holdsInNetwork,
  IS_REACHED,
  managesRules,
  SCHEDULE,
} from '#server/modules/integrations/notifications/active-staff.ts'
import { dueAt, type Schedule } from '#server/modules/integrations/notifications/due-time.ts'
import { postEvents, postTimes } from '#server/modules/integrations/notifications/rooms/fill-posts.ts'
import type { NotificationChannel, Pace, Topic } from '#server/modules/integrations/notifications/schema.ts'
import {
  ESCALATED,
  type EventRange,
  FAILING_KEY,
  hasBecomeOverdue,
  IS_ESCALATED,
  IS_OVERTURNED,
  IS_REPORTED,
  isFailing,
  OVERDUE_EVERY_MS,
  type Position,
  REPORTED,
  seenIn,
  WITH_TARGET,
} from '#server/modules/integrations/notifications/what-happened.ts'
import { mayDecide, mayDecideRow } from '#server/modules/review/decisions/may-decide.ts'

const EVENTS_A_BATCH = 1_000
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

interface Seen extends EventRange, Position {
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
  await postEvents(ctx, seen)
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
  await postTimes(ctx, position)
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
function fromEvents(range: EventRange): Sql {
  return sql`
    with ${seenIn(range)}
    select ${CHOICE}, i.subject_type, i.subject_id, e.seq::text as key
    from ${ESCALATED}
    ${choosersOf('escalated', sql`c.user_id = i.handed_to`)}
    where ${IS_ESCALATED} and i.handed_to is distinct from e.payload ->> 'by'
    union all
    select ${CHOICE}, i.subject_type, i.subject_id, extract(epoch from i.opened_at)::text
    from ${REPORTED}
    ${choosersOf('reports', sql`i.flag_count >= p.reports_from`)}
    where ${IS_REPORTED} and ${mayDecideRow(sql`i`, { authorId: sql`i.author_id`, channelId: sql`i.channel_id` })}
    union all
    select ${CHOICE}, 'rule', e.subject_id, e.seq::text
    from seen e ${choosersOf('rules', managesRules(sql`e.community_id`))}
    where ${IS_OVERTURNED}`
}

/** Communities with a target in which items have become overdue since then. */
function overdueSince(ctx: Ctx, position: Position): Sql {
  return sql`
    select ${CHOICE}, 'community' as subject_type, t.community_id as subject_id, ${position.lookedAt.toISOString()}::text as key
    from ${WITH_TARGET}
    ${choosersOf('overdue', reviewsIn(sql`t.community_id`))}
    where ${hasBecomeOverdue(ctx, position)}
      and not exists (
        select from notification told where told.user_id = c.user_id and told.channel = c.channel and told.topic = c.topic
          and told.subject_type = 'community' and told.subject_id = t.community_id
          and (told.state = 'waiting' or told.created_at > ${new Date(ctx.now().getTime() - OVERDUE_EVERY_MS)}))`
}

/** Whether `u` reviews what the community of the column holds. */
function reviewsIn(communityColumn: Sql): Sql {
  const mayReview = (subjectType: 'comment' | 'post') =>
    mayDecide({ subjectType, communityId: communityColumn, authorId: sql`''` })
  return sql`(${mayReview('comment')} or ${mayReview('post')})`
}

/** Endpoints that have failed for a while, and those that were switched off for it today: one notification each. */
function failing(ctx: Ctx): Sql {
  return sql`
    select ${CHOICE}, 'webhook', w.endpoint_id, ${FAILING_KEY}
    from webhook_endpoint w ${choosersOf('webhooks', holdsInNetwork('MANAGE_CREDENTIALS'))}
    where ${isFailing(ctx)}`
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
