import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import { notificationFigures } from '#server/modules/integrations/notifications/figures.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { composeNotifications } from '#server/modules/integrations/notifications/rooms/compose-post.ts'
import { createRoomPoster, type PostOutcome } from '#server/modules/integrations/notifications/rooms/post-to-room.ts'
import { readPosts } from '#server/modules/integrations/notifications/rooms/read-posts.ts'
import type { RoomFormat, RoomLanguage } from '#server/modules/integrations/notifications/rooms/schema.ts'
import type { Outside } from '#server/modules/integrations/webhooks/post-outside.ts'

/** Longer than posting may take: after that, the process that took notifications is taken for dead. */
const LEASE_MS = 60_000
/** Rooms posted to at once by one process, and notifications of each that are one post. */
const ROOMS_A_BATCH = 5
const POSTS_A_ROOM = 50
/** After how many failures in a row a room is tried again; after the last of these, as long as after it. */
const RETRY_AFTER_MS = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000]
/** What wasn't posted by then is given up. */
const GIVEN_UP_AFTER_MS = 2 * 24 * 3_600_000

const setAside = createSetAside('chat posts')

interface TakenPosts {
  roomId: string
  format: RoomFormat
  language: RoomLanguage
  address: Uint8Array
  failures: number
  postIds: string[]
}

interface PreparedPost extends TakenPosts {
  body: object
}

/** Posts what is due, to a few rooms at once: all of a room in one post. True if more may be due. Safe to run in several processes. */
export function createRoomsTask(parts: NotificationParts, outside: Outside = parts): (ctx: Ctx) => Promise<boolean> {
  const post = createRoomPoster(parts, outside)
  return async (ctx) => {
    const prepared: PreparedPost[] = []
    let hasTaken = false
    await setAside.workBatch(ctx, async (batch) => {
      const made = await inTransaction(ctx, async (ctx) => {
        const taken = await take(ctx, batch)
        hasTaken ||= taken.length > 0
        return prepare(ctx, taken, parts)
      })
      prepared.push(...made)
    })
    await Promise.all(
      prepared.map(async (one) => {
        const outcome = await post(one)
        notificationFigures.chat[outcome.problem === undefined ? 'sent' : 'failed'] += 1
        await inTransaction(ctx, (ctx) => record(ctx, one, outcome))
      }),
    )
    return hasTaken
  }
}

/** Takes the oldest due posts of some rooms. A post that may have been sent by a process that died is sent once more. Uses chat_post_due. */
async function take(ctx: Ctx, batch: Batch): Promise<TakenPosts[]> {
  const now = ctx.now()
  const isDue = sql`n.state = 'waiting' and n.due_at <= ${now}`
  const found = await query<{ roomId: string }>(
    ctx,
    sql`
    select r.room_id from chat_room r
    where r.removed_at is null and (r.retry_at is null or r.retry_at <= ${now}) and ${batch.isTaken(sql`r.room_id`)}
      and exists (select from chat_post n where n.room_id = r.room_id and ${isDue})
    order by r.room_id ${sql.raw(`limit ${ROOMS_A_BATCH}`)}`,
  )
  const roomIds = found.map(({ roomId }) => roomId)
  batch.take(roomIds)
  if (roomIds.length === 0) return []
  return query<TakenPosts>(
    ctx,
    sql`
    with rooms as (
      select r.room_id, r.format, r.language, r.address, r.failures from chat_room r
      where r.room_id = any(${roomIds}::text[]) and r.removed_at is null
      order by r.room_id for update of r skip locked),
    taken as (
      update chat_post n set due_at = ${new Date(now.getTime() + LEASE_MS)}
      from rooms cross join lateral (
        select n.post_id from chat_post n where n.room_id = rooms.room_id and ${isDue}
        order by n.post_id ${sql.raw(`limit ${POSTS_A_ROOM}`)}) due
      where n.post_id = due.post_id and ${isDue}
      returning n.room_id, n.post_id)
    select rooms.*, array_agg(taken.post_id::text order by taken.post_id) as post_ids
    from taken join rooms using (room_id) group by rooms.room_id, rooms.format, rooms.language, rooms.address, rooms.failures`,
  )
}

/** Composes a post for each room; what is over, or isn't in the room's scope any more, ends here. */
async function prepare(ctx: Ctx, taken: TakenPosts[], { deskUrl }: NotificationParts): Promise<PreparedPost[]> {
  if (taken.length === 0) return []
  const read = await readPosts(
    ctx,
    taken.flatMap(({ postIds }) => postIds),
  )
  const told = new Set([...read.values()].flat().map(({ notificationId }) => notificationId))
  await end(
    ctx,
    taken.flatMap(({ postIds }) => postIds.filter((id) => !told.has(id))),
    'dropped',
  )
  return taken.flatMap((room) => {
    const notifications = read.get(room.roomId)
    if (notifications === undefined) return []
    const postIds = notifications.map(({ notificationId }) => notificationId)
    return [{ ...room, postIds, body: composeNotifications(notifications, { ...room, deskUrl }) }]
  })
}

async function end(ctx: Ctx, postIds: string[], state: 'sent' | 'failed' | 'dropped'): Promise<void> {
  if (postIds.length === 0) return
  await execute(
    ctx,
    sql`
    update chat_post set state = ${state}, ended_at = ${ctx.now()} where post_id = any(${postIds}::bigint[]) and state = 'waiting'`,
  )
}

async function record(ctx: Ctx, { roomId, failures, postIds }: PreparedPost, outcome: PostOutcome): Promise<void> {
  const now = ctx.now()
  const { problem, status = null } = outcome
  if (problem === undefined) {
    await end(ctx, postIds, 'sent')
    await execute(
      ctx,
      sql`
      update chat_room set failures = 0, retry_at = null, last_sent_at = ${now}, last_failed_at = null, last_problem = null, last_status = null
      where room_id = ${roomId}`,
    )
    return
  }
  const waitMs = RETRY_AFTER_MS[Math.min(failures, RETRY_AFTER_MS.length - 1)] ?? 0
  const retryAt = new Date(now.getTime() + waitMs)
  // Never with the address.
  ctx.log.warn({ roomId, problem, status }, 'chat rooms: a post was not taken, retrying')
  await execute(
    ctx,
    sql`
    update chat_room set failures = failures + 1, retry_at = ${retryAt}, last_failed_at = ${now}, last_problem = ${problem}, last_status = ${status}
    where room_id = ${roomId}`,
  )
  await execute(
    ctx,
    sql`
    update chat_post set due_at = ${retryAt},
      state = case when created_at <= ${new Date(now.getTime() - GIVEN_UP_AFTER_MS)} then 'failed' else state end,
      ended_at = case when created_at <= ${new Date(now.getTime() - GIVEN_UP_AFTER_MS)} then ${now}::timestamptz end
    where post_id = any(${postIds}::bigint[]) and state = 'waiting'`,
  )
}
