import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { answerRoom } from '#server/modules/integrations/notifications/rooms/list-rooms.ts'
import {
  type NewRoom,
  ROOMS_LIMIT,
  type Room,
  type RoomChange,
  type RoomInput,
} from '#server/modules/integrations/notifications/rooms/schema.ts'
import { assertAddress } from '#server/modules/integrations/webhooks/assert-address.ts'
import { assertMayManageWebhooks } from '#server/modules/integrations/webhooks/assert-may-manage-webhooks.ts'
import { sealSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import type { EndpointProblem } from '#server/modules/integrations/webhooks/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

type Parts = Pick<NotificationParts, 'key' | 'allowsLoopback'>

/**
 * Adds a chat room. All of these fail with FORBIDDEN without admin MANAGE_CREDENTIALS; those that change one with NOT_FOUND if it does not exist, CHANGED if it
 * has changed since it was read. NOT_FOUND for an unknown community; INVALID_PARAMETERS for an address that could never be posted to, and for one
 * room too many.
 */
export function addRoom(ctx: Ctx, room: NewRoom, parts: Parts): Promise<Room> {
  assertMayManageWebhooks(ctx)
  assertAddress(room.address, parts)
  const { name, format, address, topics, communityId, reportsFrom, language } = room
  return inTransaction(ctx, async (ctx) => {
    await assertCommunity(ctx, communityId)
    await execute(ctx, sql`lock table chat_room in share row exclusive mode`)
    const added = await queryOne<{ roomId: string }>(
      ctx,
      sql`
      insert into chat_room (name, format, address, host, topics, community_id, reports_from, language, created_by, created_at, updated_at)
      select ${name}, ${format}, ${sealSecret(parts.key, address)}, ${hostOf(address)}, ${topics}::text[], ${communityId ?? null}, ${reportsFrom}::int,
        ${language}, ${actingUserId(ctx) ?? null}, ${ctx.now()}, ${ctx.now()}
      where (select count(*) from chat_room where removed_at is null) < ${ROOMS_LIMIT}
      returning room_id`,
    )
    if (added === undefined)
      throw new DomainError('INVALID_PARAMETERS', { problem: 'tooMany' satisfies EndpointProblem })
    await logged(ctx, added.roomId, 'roomAdded', inLog(room))
    return answerRoom(ctx, added.roomId)
  })
}

/** What wasn't posted yet goes to the new address too, as far as it is in the new scope. */
export function changeRoom(ctx: Ctx, change: RoomChange, parts: Parts): Promise<Room> {
  assertMayManageWebhooks(ctx)
  if (change.address !== undefined) assertAddress(change.address, parts)
  const { roomId, name, format, address, topics, communityId, reportsFrom, language } = change
  const isMoved =
    address === undefined ? sql.empty : sql`address = ${sealSecret(parts.key, address)}, host = ${hostOf(address)},`
  return inTransaction(ctx, async (ctx) => {
    await assertCommunity(ctx, communityId)
    await setIfUnchanged(
      ctx,
      change,
      sql`${isMoved} name = ${name}, format = ${format}, topics = ${topics}::text[], community_id = ${communityId ?? null},
        reports_from = ${reportsFrom}, language = ${language}, failures = 0, retry_at = null`,
    )
    await logged(ctx, roomId, 'roomChanged', { ...inLog(change), hasNewAddress: address !== undefined })
    return answerRoom(ctx, roomId)
  })
}

/** Deletes its address at once, and drops what wasn't posted. */
export function removeRoom(ctx: Ctx, input: RoomInput): Promise<void> {
  assertMayManageWebhooks(ctx)
  return inTransaction(ctx, async (ctx) => {
    await setIfUnchanged(ctx, input, sql`removed_at = ${ctx.now()}, address = ''`)
    await execute(
      ctx,
      sql`
      update chat_post set state = 'dropped', ended_at = ${ctx.now()} where room_id = ${input.roomId} and state = 'waiting'`,
    )
    await logged(ctx, input.roomId, 'roomRemoved')
  })
}

const hostOf = (address: string) => new URL(address).host

/** Never the address: the log has more readers than the settings. */
function inLog({ address, ...fields }: Omit<NewRoom, 'address'> & { address?: string | undefined }) {
  const { name, format, topics, communityId = null, reportsFrom, language } = fields
  return { name, format, topics, communityId, reportsFrom, language, ...(address && { host: hostOf(address) }) }
}

async function assertCommunity(ctx: Ctx, communityId: string | undefined): Promise<void> {
  if (communityId === undefined) return
  const known = await queryOne(
    ctx,
    sql`select true as found from community where community_id = ${communityId} and not is_deleted`,
  )
  if (known === undefined) throw new DomainError('NOT_FOUND')
}

/** Sets these columns if the version is still the one that the caller saw; fails with NOT_FOUND or CHANGED. */
async function setIfUnchanged(ctx: Ctx, { roomId, version }: RoomInput, assignments: Sql): Promise<void> {
  const found = await query(
    ctx,
    sql`select 1 as found from chat_room where room_id = ${roomId} and removed_at is null for update`,
  )
  if (found.length === 0) throw new DomainError('NOT_FOUND')
  const changed = await execute(
    ctx,
    sql`
    update chat_room set ${assignments}, version = version + 1, updated_at = ${ctx.now()} where room_id = ${roomId} and version = ${version}`,
  )
  if (changed === 0) throw new DomainError('CHANGED')
}

function logged(
  ctx: Ctx,
  roomId: string,
  act: 'roomAdded' | 'roomChanged' | 'roomRemoved',
  after?: Record<string, unknown>,
): Promise<void> {
  return recordAudit(ctx, {
    action: `notifications.${act}`,
    subjectType: 'chatRoom',
    subjectId: roomId,
    ...(after && { after }),
  })
}
