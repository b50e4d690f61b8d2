import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { assertImage } from '#server/modules/media/files/assert-image.ts'
import { readChannelEnvelope } from '#server/modules/spaces/channels/channel-envelope.ts'
import { getChannel } from '#server/modules/spaces/channels/get-channel.ts'
import type {
  ChannelEnvelope,
  ChannelType,
  NewChannel,
  NewConversation,
} from '#server/modules/spaces/channels/schema.ts'
import { idsOf, lockPeople } from '#server/modules/spaces/membership/lock-people.ts'
import { setMembership } from '#server/modules/spaces/membership/set-membership.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

/**
 * Creates a channel; its creator owns and moderates it. Any user may, and staff who edit channels. Fails with NOT_FOUND for an unknown user
 * or avatar, FORBIDDEN for other staff, ALREADY_EXISTS for an id that is taken.
 */
export function createChannel(ctx: Ctx, input: NewChannel): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    if (ctx.actor.kind !== 'user' && !holds(ctx, 'EDIT_CHANNEL')) throw new DomainError('FORBIDDEN')
    const creator = actingUserId(ctx)
    const userIds = creator === undefined ? input.userIds : [creator, ...input.userIds]
    return make(ctx, { ...input, isDistinct: false, userIds, ownerId: creator })
  })
}

/**
 * Starts a conversation between the caller and others, or finds the existing one of the same people where it is to be distinct. Fails with
 * FORBIDDEN for an admin token, which is not a user, and NOT_FOUND for an unknown user.
 */
export function createConversation(ctx: Ctx, input: NewConversation): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const creator = actingUserId(ctx)
    if (creator === undefined) throw new DomainError('FORBIDDEN')
    const userIds = [...new Set([creator, ...input.userIds])].sort()
    const existing = input.isDistinct ? await findDistinct(ctx, userIds) : undefined
    if (existing !== undefined) return getChannel(ctx, existing)
    return make(ctx, { ...input, type: 'conversation', isPublic: false, userIds })
  })
}

/** The lock serialises concurrent starts of the same conversation; it ends with the transaction. Uses channel_user_user_id_idx. */
async function findDistinct(ctx: Ctx, userIds: string[]): Promise<{ channelId: string } | undefined> {
  await execute(ctx, sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(userIds)}, 0))::text as locked`)
  return queryOne<{ channelId: string }>(
    ctx,
    sql`
    select c.channel_id from channel c
    where c.type = 'conversation' and c.is_distinct and not c.is_deleted
      and c.channel_id in (select cu.channel_id from channel_user cu where cu.user_id = ${userIds[0] ?? null} and cu.membership = 'member')
      and (
        select count(*) = ${userIds.length}::int and bool_and(cu.user_id = any(${userIds}))
        from channel_user cu where cu.channel_id = c.channel_id and cu.membership = 'member' and not cu.is_deleted)
    order by c.created_at, c.channel_id limit 1`,
  )
}

interface Making extends Omit<NewChannel, 'type'> {
  type: ChannelType
  isDistinct: boolean
  ownerId?: string | undefined
}

async function make(ctx: Ctx, making: Making): Promise<ChannelEnvelope> {
  await assertImage(ctx, making.avatarFileId)
  const channelId = await insertChannel(ctx, making)
  const userIds = await insertMembers(ctx, channelId, making)
  const envelope = await readChannelEnvelope(ctx, channelId, userIds)
  await recordAudit(ctx, {
    action: 'channel.created',
    subjectType: 'channel',
    subjectId: channelId,
    channelId,
    after: { type: making.type, isPublic: making.isPublic, userIds },
  })
  await recordEvent(ctx, {
    name: 'channel.didCreate',
    subjectType: 'channel',
    subjectId: channelId,
    payload: { channel: envelope.channels, users: envelope.users, userIds },
  })
  return envelope
}

async function insertChannel(ctx: Ctx, making: Making): Promise<string> {
  const now = ctx.now()
  const metadata = making.metadata === undefined ? null : JSON.stringify(making.metadata)
  const made = await queryOne<{ channelId: string }>(
    ctx,
    sql`
    insert into channel (channel_id, type, display_name, avatar_file_id, metadata, tags, is_public, is_distinct, last_activity, created_at, updated_at)
    values (coalesce(${making.channelId ?? null}, new_internal_id()), ${making.type}::channel_type, ${making.displayName ?? null},
      ${making.avatarFileId ?? null}, ${metadata}::jsonb, ${making.tags}, ${making.isPublic}, ${making.isDistinct}, ${now}, ${now}, ${now})
    on conflict (channel_id) do nothing
    returning channel_id`,
  )
  if (made === undefined) throw new DomainError('ALREADY_EXISTS')
  return made.channelId
}

/** Inserts each person once, with the creator as the owner. Fails with NOT_FOUND for unknown and deleted users. */
async function insertMembers(ctx: Ctx, spaceId: string, { userIds, ownerId }: Making): Promise<string[]> {
  const people = await lockPeople(ctx, SPACE_KINDS.channel, { spaceId, userIds })
  if (people.some(({ isGone }) => isGone)) throw new DomainError('NOT_FOUND')
  return idsOf(await setMembership(ctx, SPACE_KINDS.channel, { spaceId, act: 'added', people, ownerId }))
}
