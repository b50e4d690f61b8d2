import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockColleague } from '#server/modules/accounts/staff/lock-colleague.ts'
import type { EndStaffSessions } from '#server/modules/accounts/staff/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/**
 * Ends one session of a colleague of lower rank, or all of them; their next call is rejected, and their stream ends within a second.
 * NOT_FOUND for a session that belongs to somebody else or has ended.
 */
export function endColleagueSessions(ctx: Ctx, { staffId, sessionId }: EndStaffSessions): Promise<{ ended: number }> {
  return inTransaction(ctx, async (ctx) => {
    await lockColleague(ctx, staffId)
    const ended = await endStaffSessions(ctx, {
      staffId,
      ...(sessionId !== undefined && { which: sql`id = ${sessionId}` }),
    })
    if (sessionId !== undefined && ended === 0) throw new DomainError('NOT_FOUND')
    return { ended }
  })
}

/** Returns how many there were; ending none is not audited. Uses staff_session_staff_account_id_idx. */
export async function endStaffSessions(
  ctx: Ctx,
  { staffId, which = sql`true` }: { staffId: string; which?: Sql },
): Promise<number> {
  const ended = await query<{ sessionId: string }>(
    ctx,
    sql`
    delete from staff_session where staff_account_id = ${staffId} and ${which} returning id as session_id`,
  )
  if (ended.length > 0) {
    await recordAudit(ctx, {
      action: 'staff.sessionsEnded',
      subjectType: 'staff',
      subjectId: staffId,
      after: { sessionIds: ended.map(({ sessionId }) => sessionId) },
    })
  }
  return ended.length
}
