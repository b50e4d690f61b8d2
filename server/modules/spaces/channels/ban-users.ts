import { type BanTerms, toAuditTerms } from '#server/core/ban-terms.ts'
import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { lockChannel } from '#server/modules/spaces/channels/lock-channel.ts'
import { assertOutranks, idsOf, readTargets } from '#server/modules/spaces/channels/read-targets.ts'
import { recordMemberChanges } from '#server/modules/spaces/channels/record-member-changes.ts'
import type { ChannelEnvelope, ChannelParams, ChannelUserIds } from '#server/modules/spaces/channels/schema.ts'

/**
 * Bans people from a channel (docs/interface/channel-members.md#ban), whether or not they are members; their roles there end. Banning again
 * changes nothing. Fails with NOT_FOUND for an unknown channel or user, FORBIDDEN without the permission, CANNOT_BAN for people of equal or
 * higher rank and for oneself; then nobody is banned.
 */
export function banUsers(
  ctx: Ctx,
  { channelId, userIds, terms = {} }: ChannelParams & ChannelUserIds & { terms?: BanTerms },
): Promise<ChannelEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    await lockChannel(ctx, channelId, 'banMembers')
    const targets = await readTargets(ctx, channelId, userIds)
    assertOutranks(targets, 'CANNOT_BAN')

    const banned = await ban(ctx, channelId, idsOf(targets), terms)
    return recordMemberChanges(ctx, {
      channelId,
      act: 'banned',
      userIds,
      changes: banned.map(({ userId, membership, roles }) => ({
        userId,
        before: { membership: membership ?? 'none', roles: roles ?? [] },
        after: { membership: 'banned', roles: [], ...toAuditTerms(terms) },
      })),
      membersDelta: -banned.filter(({ wasCounted }) => wasCounted).length,
    })
  })
}

interface Banned {
  userId: string
  /** Their membership before; absent where they had none. */
  membership: string | null
  roles: string[] | null
  wasCounted: boolean
}

/** Compare-and-set on the membership; in the order of ids, so that no two calls deadlock. */
function ban(ctx: Ctx, channelId: string, userIds: string[], terms: BanTerms): Promise<Banned[]> {
  const now = ctx.now()
  return query<Banned>(
    ctx,
    Prisma.sql`
    with banned as (
      insert into channel_user as cu (channel_id, user_id, membership, created_at, updated_at)
      select ${channelId}, person.user_id, 'banned', ${now}, ${now}
      from unnest(${userIds}::text[]) as person(user_id) order by person.user_id
      on conflict (channel_id, user_id) do update set membership = 'banned', roles = '{}', updated_at = ${now}
      where cu.membership <> 'banned'
      returning cu.user_id as "userId", old.membership, old.roles,
        coalesce(old.membership = 'member' and not old.is_deleted, false) as "wasCounted"),
    written as (
      insert into ban (scope, channel_id, user_id, banned_by, reason, ends_at, created_at)
      select 'channel', ${channelId}, "userId", ${actingUserId(ctx) ?? actorName(ctx)}, ${terms.reason ?? null}, ${terms.endsAt ?? null}, ${now}
      from banned
      on conflict do nothing)
    select * from banned order by "userId"`,
  )
}
