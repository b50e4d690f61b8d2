import { type BanTerms, toAuditTerms } from '#server/core/ban-terms.ts'
import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { ensureGlobalAdminRemains } from '#server/modules/accounts/roles/ensure-global-admin-remains.ts'
import { endTokensBeyond } from '#server/modules/accounts/roles/issuer.ts'
import { lockPerson } from '#server/modules/accounts/roles/lock-person.ts'
import { GLOBAL_ADMIN, outranks } from '#server/modules/accounts/roles/outranks.ts'
import { answerUsers } from '#server/modules/accounts/users/read-users.ts'
import type { UsersAnswer } from '#server/modules/accounts/users/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'

/**
 * Bans a user from the whole network and ends their sessions and tokens immediately. Needs admin BAN_USER; fails with NOT_FOUND for an
 * unknown user, CANNOT_BAN for oneself, the last global admin and anyone not of lower rank, GLOBALLY_BANNED for a user who is banned
 * already.
 */
export async function banEverywhere(
  ctx: Ctx,
  { userId, terms = {} }: { userId: string; terms?: BanTerms },
): Promise<UsersAnswer> {
  if (!holds(ctx, 'BAN_USER')) throw new DomainError('FORBIDDEN')
  return inTransaction(ctx, async (ctx) => {
    const user = await lockUser(ctx, userId)
    if (!user.isOutranked || userId === actingUserId(ctx)) throw new DomainError('CANNOT_BAN')
    if (user.isGlobalBan) throw new DomainError('GLOBALLY_BANNED')
    if (user.roles.includes(GLOBAL_ADMIN)) await ensureGlobalAdminRemains(ctx, userId, 'CANNOT_BAN')

    await query(
      ctx,
      Prisma.sql`
      insert into ban (scope, user_id, banned_by, reason, ends_at, created_at)
      values ('network', ${userId}, ${actingUserId(ctx) ?? actorName(ctx)}, ${terms.reason ?? null}, ${terms.endsAt ?? null}, ${ctx.now()}) on conflict do nothing returning 1 as banned`,
    )
    await endAccess(ctx, userId)
    const answer = await setBanned(ctx, { userId, isGlobalBan: true, terms })
    await endTokensBeyond(ctx, userId)
    return answer
  })
}

/**
 * Lifts a network ban; what the ban ended stays ended. Needs admin BAN_USER; fails with NOT_FOUND for an unknown user, FORBIDDEN for one
 * not of lower rank, NOT_BANNED for one who is not banned.
 */
export async function unbanEverywhere(ctx: Ctx, { userId }: { userId: string }): Promise<UsersAnswer> {
  if (!holds(ctx, 'BAN_USER')) throw new DomainError('FORBIDDEN')
  return inTransaction(ctx, async (ctx) => {
    const user = await lockUser(ctx, userId)
    if (!user.isOutranked) throw new DomainError('FORBIDDEN')
    if (!user.isGlobalBan) throw new DomainError('NOT_BANNED')

    return releaseEverywhere(ctx, userId)
  })
}

/** Lifts the ban of a user who is locked and banned. */
export async function releaseEverywhere(ctx: Ctx, userId: string): Promise<UsersAnswer> {
  await ctx.db.ban.updateMany({
    where: { scope: 'network', userId, liftedAt: null },
    data: { liftedAt: ctx.now(), liftedBy: actingUserId(ctx) ?? actorName(ctx) },
  })
  return setBanned(ctx, { userId, isGlobalBan: false })
}

export interface LockedUser {
  roles: string[]
  isGlobalBan: boolean
  isOutranked: boolean
}

async function lockUser(ctx: Ctx, userId: string): Promise<LockedUser> {
  await lockPerson(ctx, userId)
  const user = await queryOne<LockedUser>(
    ctx,
    Prisma.sql`
    select u.roles, u.is_global_ban as "isGlobalBan", ${outranks(ctx, Prisma.sql`u.user_id`, 'network')} as "isOutranked"
    from network_user u where u.user_id = ${userId}`,
  )
  if (user === undefined) throw new DomainError('NOT_FOUND')
  return user
}

/** Ends the user's tokens and sessions immediately. */
export async function endAccess(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.accessToken.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: ctx.now() } })
  await ctx.db.staffSession.deleteMany({ where: { user: { networkUserId: userId } } })
}

async function setBanned(
  ctx: Ctx,
  { userId, isGlobalBan, terms = {} }: { userId: string; isGlobalBan: boolean; terms?: BanTerms },
) {
  await ctx.db.user.update({ where: { userId }, data: { isGlobalBan, updatedAt: ctx.now() } })
  const answer = await answerUsers(ctx, [userId])
  const subject = { subjectType: 'user', subjectId: userId }
  await recordAudit(ctx, {
    ...subject,
    action: isGlobalBan ? 'user.globallyBanned' : 'user.globallyUnbanned',
    before: { isGlobalBan: !isGlobalBan },
    after: { isGlobalBan, ...toAuditTerms(terms) },
  })
  await recordEvent(ctx, {
    ...subject,
    name: isGlobalBan ? 'user.didGlobalBan' : 'user.didGlobalUnban',
    payload: { ...answer },
  })
  return answer
}
