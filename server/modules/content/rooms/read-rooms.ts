import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { Room } from '#server/modules/content/rooms/schema.ts'
import { ROOM_COLUMNS, type RoomRow, toRoomView } from '#server/modules/content/rooms/view.ts'

export interface RoomsOfPosts {
  rooms: Room[]
  /** The parts of these rooms. */
  children: Room[]
}

/** The rooms that these posts are about; deleted ones are left out. Uses room_reference_id_idx and room_parent. */
export async function readRooms(ctx: Ctx, postIds: string[]): Promise<RoomsOfPosts> {
  if (postIds.length === 0) return { rooms: [], children: [] }
  const rows = await query<RoomRow & { isChild: boolean }>(
    ctx,
    sql`
    with shown as (
      select * from room r where r.reference_id = any(${postIds}) and r.reference_type = 'post' and not r.is_deleted),
    part as (
      select r.* from room r
      where (r.parent_room_id in (select room_id from shown) or r.room_id in (select unnest(child_room_ids) from shown))
        and r.room_id not in (select room_id from shown) and not r.is_deleted)
    select ${ROOM_COLUMNS}, r.is_child
    from (select *, false as is_child from shown union all select *, true from part) r
    left join network_user u on u.user_id = r.created_by
    order by r.created_at, r.room_id`,
  )
  const views = (isChild: boolean) => rows.filter((row) => row.isChild === isChild).map((row) => toRoomView(ctx, row))
  return { rooms: views(false), children: views(true) }
}
