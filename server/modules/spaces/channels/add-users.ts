import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import { idsOf, readTargets } from '#server/modules/spaces/channels/read-targets.ts'
import { recordMemberChanges } from '#server/modules/spaces/channels/record-member-changes.ts'
import type { ChannelEnvelope, ChannelParams, ChannelUserIds } from '#server/modules/spaces/channels/schema.ts'

/**
 * Makes people members; existing members stay as they are. Fails with NOT_FOUND for an unknown channel and for unknown or deleted users,
 * FORBIDDEN without the permission and in a conversation, BANNED where one of them is banned; then nobody is added.
 */
export function addUsers(ctx: Ctx, { channelId, userIds }: ChannelParams & ChannelUserIds): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const { type } = await lockChannel(ctx, channelId, 'addMembers')
    if (type === 'conversation') throw new DomainError('FORBIDDEN')
    const targets = await readTargets(ctx, channelId, userIds)
    if (targets.some(({ isDeleted }) => isDeleted)) throw new DomainError('NOT_FOUND')
    if (targets.some(({ membership }) => membership === 'banned')) throw new DomainError('BANNED')

    const added = await addMembers(ctx, channelId, idsOf(targets))
    return recordMemberChanges(ctx, {
      channelId,
      act: 'added',
      userIds,
      changes: added.map(({ userId }) => ({
        userId,
        before: { membership: 'none' },
        after: { membership: 'member', roles: [] },
      })),
      membersDelta: added.length,
    })
  })
}

/** Compare-and-set, in the order of ids: people who joined at the same moment are left out. Returns the new members; they have no roles. */
function addMembers(ctx: Ctx, channelId: string, userIds: string[]): Promise<{ userId: string }[]> {
  const now = ctx.now()
  return query<{ userId: string }>(
    ctx,
    Prisma.sql`
    insert into channel_user as cu (channel_id, user_id, membership, created_at, updated_at)
    select ${channelId}, person.user_id, 'member', ${now}, ${now}
    from unnest(${userIds}::text[]) as person(user_id) order by person.user_id
    on conflict (channel_id, user_id) do update set membership = 'member', roles = '{}', is_deleted = false, updated_at = ${now}
    where cu.membership = 'none' or cu.membership = 'member' and cu.is_deleted
    returning cu.user_id as "userId"`,
  )
}
