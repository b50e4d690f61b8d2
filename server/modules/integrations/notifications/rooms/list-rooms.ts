import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { Room } from '#server/modules/integrations/notifications/rooms/schema.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'

/** The chat rooms, in the order they were added. Fails with FORBIDDEN without admin MANAGE_CREDENTIALS. */
export async function listRooms(ctx: Ctx): Promise<Room[]> {
  assertMayManageWebhooks(ctx)
  return (await readRows(ctx, sql`true`)).map(toRoom)
}

/** A room that was just changed. */
export async function answerRoom(ctx: Ctx, roomId: string): Promise<Room> {
  const [row] = await readRows(ctx, sql`r.room_id = ${roomId}`)
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return toRoom(row)
}

interface RoomRow
  extends Pick<
    Room,
    'roomId' | 'version' | 'name' | 'format' | 'host' | 'topics' | 'reportsFrom' | 'language' | 'waiting'
  > {
  communityId: string | null
  communityName: string | null
  lastSentAt: Date | null
  lastFailedAt: Date | null
  lastProblem: NonNullable<Room['lastFailure']>['problem'] | null
  lastStatus: number | null
}

/** Counts of pending posts stop at the number that the page shows. Uses chat_post_due. */
function readRows(ctx: Ctx, which: Sql): Promise<RoomRow[]> {
  return query<RoomRow>(
    ctx,
    sql`
    select r.room_id, r.version, r.name, r.format, r.host, r.topics, r.reports_from, r.language, r.community_id,
      nullif(k.display_name, '') as community_name, r.last_sent_at, r.last_failed_at, r.last_problem, r.last_status,
      (select count(*)::int from (
        select from chat_post n where n.room_id = r.room_id and n.state = 'waiting' limit 1000) counted) as waiting
    from chat_room r left join community k on k.community_id = r.community_id
    where r.removed_at is null and ${which}
    order by r.created_at, r.room_id`,
  )
}

function toRoom({
  communityId,
  communityName,
  lastSentAt,
  lastFailedAt,
  lastProblem,
  lastStatus,
  ...row
}: RoomRow): Room {
  return {
    ...row,
    ...(communityId !== null && { community: { communityId, name: communityName ?? communityId } }),
    ...(lastSentAt && { lastSentAt: timestampOf(lastSentAt) }),
    ...(lastFailedAt &&
      lastProblem && {
        lastFailure: { at: timestampOf(lastFailedAt), problem: lastProblem, ...present({ status: lastStatus }) },
      }),
  }
}
