import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { readLockedPerson } from '#server/modules/accounts/roles/lock-person.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** Ends the session that the caller uses. An admin token has none: INVALID_PARAMETERS. */
export function endOwnSession(ctx: Ctx): Promise<void> {
  const { actor } = ctx
  if (actor.kind !== 'user' || actor.tokenId === undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['userId: required when called with an admin token'] })
  const { userId, tokenId } = actor
  return inTransaction(ctx, (ctx) => revoke(ctx, { userId, which: sql`token_id = ${tokenId}` }))
}

/**
 * Ends every session of a user: the caller's own, or as an admin those of people of lower rank; global admins end each other's. FORBIDDEN
 * without the permission or the rank, NOT_FOUND for an unknown user.
 */
export function endSessionsOf(ctx: Ctx, { userId }: { userId: string }): Promise<void> {
  const isOwn = ctx.actor.kind === 'user' && ctx.actor.userId === userId
  if (!isOwn && !holds(ctx, 'MANAGE_CREDENTIALS')) throw new DomainError('FORBIDDEN')
  return inTransaction(ctx, async (ctx) => {
    const isInReach = sql`${outranks(ctx, sql`u.user_id`, 'network')} as is_in_reach`
    const user = await readLockedPerson<{ isInReach: boolean }>(ctx, userId, isInReach)
    if (!isOwn && !user.isInReach) throw new DomainError('FORBIDDEN')
    await revoke(ctx, { userId, which: sql`user_id = ${userId}` })
  })
}

/** Index: access_token_user_id_idx, or the primary key. Ending ended sessions changes nothing and is not audited. */
async function revoke(ctx: Ctx, { userId, which }: { userId: string; which: Sql }): Promise<void> {
  const ended = await query<{ tokenId: string }>(
    ctx,
    sql`
    update access_token set revoked_at = ${ctx.now()}
    where ${which} and kind = 'user' and revoked_at is null
    returning token_id`,
  )
  if (ended.length === 0) return
  await recordAudit(ctx, {
    action: 'session.ended',
    subjectType: 'user',
    subjectId: userId,
    after: { tokenIds: ended.map(({ tokenId }) => tokenId) },
  })
}
