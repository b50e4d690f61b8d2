import { type BanTerms, toAuditTerms } from '#server/core/ban-terms.ts'
import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { endAccess } from '#server/modules/accounts/access/end-access.ts'
import { ensureGlobalAdminRemains } from '#server/modules/accounts/roles/ensure-global-admin-remains.ts'
import { revokeTokensBeyondIssuer } from '#server/modules/accounts/roles/issuer.ts'
import { readLockedPerson } from '#server/modules/accounts/roles/lock-person.ts'
import { GLOBAL_ADMIN, outranks } from '#server/modules/accounts/roles/outranks.ts'
import { answerUsers, avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import type { UsersAnswer } from '#server/modules/accounts/users/schema.ts'
import { auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables } from '#server/modules/ledger/events/record-event.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import { insertBans, liftBans } from '#server/modules/spaces/membership/ban-records.ts'

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

    return banLocked(ctx, { userIds: [userId], terms })
  })
}

/** Bans users who are locked and not banned, and ends their access. */
export async function banLocked(
  ctx: Ctx,
  { userIds, terms }: { userIds: string[]; terms: BanTerms },
): Promise<UsersAnswer> {
  await endAccess(ctx, userIds)
  const answer = await setBanned(ctx, { userIds, isGlobalBan: true, terms })
  await revokeTokensBeyondIssuer(ctx, userIds)
  return answer
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

    return releaseEverywhere(ctx, [userId])
  })
}

/** Lifts the bans of users who are locked and banned. */
export function releaseEverywhere(ctx: Ctx, userIds: string[]): Promise<UsersAnswer> {
  return setBanned(ctx, { userIds, isGlobalBan: false })
}

interface LockedUser {
  roles: string[]
  isGlobalBan: boolean
  isOutranked: boolean
}

async function lockUser(ctx: Ctx, userId: string): Promise<LockedUser> {
  const columns = sql`u.roles, u.is_global_ban, ${outranks(ctx, sql`u.user_id`, 'network')} as is_outranked`
  return await readLockedPerson<LockedUser>(ctx, userId, columns)
}

interface Change {
  userIds: string[]
  isGlobalBan: boolean
  terms?: BanTerms
}

/** An audit row and an event for each. Reports on them are closed by the ban, and open again once it is lifted. */
async function setBanned(ctx: Ctx, { userIds, isGlobalBan, terms = {} }: Change): Promise<UsersAnswer> {
  const network = { scope: 'network', spaceId: '' } as const
  await execute(
    ctx,
    sql`
    with changed as (
      update network_user set is_global_ban = ${isGlobalBan}, updated_at = ${ctx.now()} where user_id = any(${userIds}) returning user_id)
      ${isGlobalBan ? insertBans(ctx, { ...network, terms }) : liftBans(ctx, network)}
    select 1 as changed from changed`,
  )
  await keepReports(ctx, 'user', userIds)
  const answer = await answerUsers(ctx, userIds)
  const acts = userIds.map((userId) => ({
    subjectType: 'user',
    subjectId: userId,
    action: isGlobalBan ? 'user.globallyBanned' : 'user.globallyUnbanned',
    before: { isGlobalBan: !isGlobalBan },
    after: { isGlobalBan, ...toAuditTerms(terms) },
  }))
  const name = isGlobalBan ? ('user.didGlobalBan' as const) : ('user.didGlobalUnban' as const)
  const events = answer.users.map((user) => ({
    name,
    subjectType: 'user',
    subjectId: user.userId,
    payload: { users: [user], files: answer.files.filter(({ fileId }) => avatarsOf([user]).includes(fileId)) },
  }))
  await execute(
    ctx,
    sql`
    with ${auditTables(ctx, acts)}, ${eventTables(ctx, events)} select from stored_event`,
  )
  return answer
}
