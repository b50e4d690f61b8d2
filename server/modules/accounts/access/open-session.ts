import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { isVouchedFor } from '#server/modules/accounts/access/auth-token.ts'
import { issueUserToken } from '#server/modules/accounts/access/issue-user-token.ts'
import { readHolder } from '#server/modules/accounts/access/read-session.ts'
import { requireKey } from '#server/modules/accounts/access/require-key.ts'
import type { OpenedSession, SessionInput } from '#server/modules/accounts/access/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** 30 days (docs/interface/authentication.md#session-lifetime). */
const SESSION_LIFETIME_MS = 30 * 24 * 3_600_000

/**
 * Opens the session of one user, created if unknown. An API key is public: anyone with a network role or a staff account needs an
 * `authToken` as well, and in secure mode everyone does, else FORBIDDEN (docs/interface/authentication.md#secure-mode). GLOBALLY_BANNED for
 * a banned user. The session is user context, whatever roles its user holds.
 */
export function openSession(ctx: Ctx, input: SessionInput & { isSecureMode: boolean }): Promise<OpenedSession> {
  const { keyId } = requireKey(ctx, 'sessions')
  return inTransaction(ctx, async (ctx) => {
    const user = await ensureUser(ctx, input)
    if ((input.isSecureMode || user.isStaff) && !(await isVouchedFor(ctx, input))) throw new DomainError('FORBIDDEN')
    if (user.isDeleted) throw new DomainError('FORBIDDEN')
    if (user.isGlobalBan) throw new DomainError('GLOBALLY_BANNED')

    const { tokenId, ...token } = await issueUserToken(ctx, { user, lifetimeMs: SESSION_LIFETIME_MS, keyId })
    await recordAudit(ctx, {
      action: 'session.opened',
      subjectType: 'user',
      subjectId: user.userId,
      after: { tokenId, expiresAt: token.expiresAt },
    })
    return { ...token, ...(await readHolder(ctx, user.userId)), userType: 'signed-in' }
  })
}

interface SessionUser {
  userId: string
  internalId: string
  isDeleted: boolean
  isGlobalBan: boolean
  /** Whether the user has a network role or a staff account, including one that is switched off. */
  isStaff: boolean
}

/** A handle that another user has is INVALID_PARAMETERS. */
async function ensureUser(ctx: Ctx, { userId, displayName, profileHandle }: SessionInput): Promise<SessionUser> {
  const known = await lockUser(ctx, userId)
  if (known !== undefined) return known
  await execute(
    ctx,
    sql`
    insert into network_user (user_id, display_name, profile_handle, created_at, updated_at)
    values (${userId}, ${displayName ?? null}, ${profileHandle ?? null}, ${ctx.now()}, ${ctx.now()})
    on conflict do nothing`,
  )
  const made = await lockUser(ctx, userId)
  if (made === undefined) throw new DomainError('INVALID_PARAMETERS', { detail: ['profileHandle: already taken'] })
  return made
}

/** Locks out a concurrent ban or role change. */
function lockUser(ctx: Ctx, userId: string): Promise<SessionUser | undefined> {
  return queryOne<SessionUser>(
    ctx,
    sql`
    select u.user_id, u.internal_id, u.is_deleted, u.is_global_ban,
      cardinality(u.roles) > 0 or exists (select from staff_account a where a.network_user_id = u.user_id) as is_staff
    from network_user u where u.user_id = ${userId} for share of u`,
  )
}
