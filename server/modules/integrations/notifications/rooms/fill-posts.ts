import type { Ctx } from '#server/core/ctx.ts'
import { execute, query, type Sql, sql } from '#server/core/db.ts'
import { createSetAside, type SetAside } from '#server/core/set-aside.ts'
import type { Topic } from '#server/modules/integrations/notifications/schema.ts'
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

const [byEvents, byTime] = [createSetAside('chat posts of events'), createSetAside('chat posts of times')]

/** A notification for a room. */
interface Wanted {
  roomId: string
  topic: Topic
  subjectType: string
  subjectId: string
  key: string
}

/** Writes the notifications of these events for chat rooms, before the position moves: once for each room, however often it runs. */
export function postEvents(ctx: Ctx, range: EventRange): Promise<void> {
  return store(
    ctx,
    byEvents,
    sql`
    with ${seenIn(range)}
    select r.room_id, 'escalated' as topic, i.subject_type, i.subject_id, e.seq::text as key
    from ${ESCALATED} ${roomsOf('escalated', isItemInScope(sql`r.community_id`))}
    where ${IS_ESCALATED}
    union all
    select r.room_id, 'reports', i.subject_type, i.subject_id, extract(epoch from i.opened_at)::text
    from ${REPORTED} ${roomsOf('reports', sql`i.flag_count >= r.reports_from and ${isItemInScope(sql`r.community_id`)}`)}
    where ${IS_REPORTED}
    union all
    select r.room_id, 'rules', 'rule', e.subject_id, e.seq::text
    from seen e ${roomsOf('rules', sql`(r.community_id is null or r.community_id = e.community_id)`)}
    where ${IS_OVERTURNED}`,
  )
}

/** In the same way those of what becomes due without an event. */
export function postTimes(ctx: Ctx, position: Position): Promise<void> {
  const recently = new Date(ctx.now().getTime() - OVERDUE_EVERY_MS)
  return store(
    ctx,
    byTime,
    sql`
    select r.room_id, 'overdue' as topic, 'community' as subject_type, t.community_id as subject_id, ${position.lookedAt.toISOString()}::text as key
    from ${WITH_TARGET} ${roomsOf('overdue', sql`(r.community_id is null or r.community_id = t.community_id)`)}
    where ${hasBecomeOverdue(ctx, position)} and not exists (
      select from chat_post told where told.room_id = r.room_id and told.topic = 'overdue' and told.subject_type = 'community'
        and told.subject_id = t.community_id and (told.state = 'waiting' or told.created_at > ${recently}))
    union all
    select r.room_id, 'webhooks', 'webhook', w.endpoint_id, ${FAILING_KEY}
    from webhook_endpoint w ${roomsOf('webhooks', sql`r.community_id is null`)}
    where ${isFailing(ctx)}`,
  )
}

/** For `from`: the rooms `r` that chose this topic, where the condition holds. */
function roomsOf(topic: Topic, isInScope: Sql): Sql {
  return sql`join chat_room r on r.removed_at is null and ${topic} = any(r.topics) and ${isInScope}`
}

/** Whether the item `i` is in the community of the column, or in its channel; any is where that is null. */
export function isItemInScope(communityColumn: Sql): Sql {
  return sql`(${communityColumn} is null or i.community_id = ${communityColumn} or exists (
    select from community own where own.community_id = ${communityColumn} and own.channel_id = i.channel_id))`
}

async function store(ctx: Ctx, setAside: SetAside, selecting: Sql): Promise<void> {
  await setAside.workBatch(ctx, async (batch) => {
    const wanted = await query<Wanted>(
      ctx,
      sql`select * from (${selecting}) wanted where ${batch.isTaken(sql`wanted.room_id`)}`,
    )
    batch.take(wanted.map(({ roomId }) => roomId))
    if (wanted.length === 0) return
    await execute(
      ctx,
      sql`
      insert into chat_post (room_id, topic, subject_type, subject_id, key, due_at, created_at)
      select made."roomId", made.topic, made."subjectType", made."subjectId", made.key, ${ctx.now()}, ${ctx.now()}
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as made("roomId" text, topic text, "subjectType" text, "subjectId" text, key text)
      where not exists (
        select from chat_post n where n.room_id = made."roomId" and n.topic = made.topic and n.subject_type = made."subjectType"
          and n.subject_id = made."subjectId" and n.state = 'waiting')
      on conflict do nothing`,
    )
  })
}
