import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, sql } from '#server/core/db.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** How long a token that expired or was revoked remains listed. */
const KEPT_MS = 30 * 24 * 3_600_000

/**
 * Removes tokens that ended a month ago; the log keeps what was done with them. True where more remain than one batch removes. Uses
 * access_token_ended; skips rows that another process is removing.
 */
export function forgetTokens(ctx: Ctx): Promise<boolean> {
  const endedBefore = new Date(ctx.now().getTime() - KEPT_MS)
  return inTransaction(ctx, async (ctx) => {
    const forgotten = await query(
      ctx,
      sql`
      delete from access_token where token_id in (
        select token_id from access_token where least(revoked_at, expires_at) < ${endedBefore}
        order by least(revoked_at, expires_at) limit ${BATCH_SIZE} for update skip locked)
      returning token_id`,
    )
    if (forgotten.length === 0) return false
    const after = { count: forgotten.length, endedBefore: endedBefore.toISOString() }
    await recordAudit(ctx, { action: 'token.forgotten', subjectType: 'token', subjectId: 'ended', after })
    return forgotten.length === BATCH_SIZE
  })
}
