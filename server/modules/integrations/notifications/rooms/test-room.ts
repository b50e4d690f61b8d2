import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { composePost } from '#server/modules/integrations/notifications/rooms/compose-post.ts'
import { createRoomPoster } from '#server/modules/integrations/notifications/rooms/post-to-room.ts'
import type {
  RoomFormat,
  RoomLanguage,
  RoomParams,
  RoomTest,
} from '#server/modules/integrations/notifications/rooms/schema.ts'
import { WORDS } from '#server/modules/integrations/notifications/words.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'

/** Posts a test to a room, and says how that went. FORBIDDEN without admin MANAGE_CREDENTIALS, NOT_FOUND if it does not exist. */
export async function testRoom(ctx: Ctx, { roomId }: RoomParams, parts: NotificationParts): Promise<RoomTest> {
  assertMayManageWebhooks(ctx)
  const room = await queryOne<{ format: RoomFormat; language: RoomLanguage; address: Uint8Array }>(
    ctx,
    sql`select format, language, address from chat_room where room_id = ${roomId} and removed_at is null`,
  )
  if (room === undefined) throw new DomainError('NOT_FOUND')
  const { deskUrl } = parts
  const { more, roomTest } = WORDS[room.language]
  const body = composePost(room.format, [{ words: roomTest, url: deskUrl }], { more, deskUrl })
  return createRoomPoster(parts, parts)({ address: room.address, body })
}
