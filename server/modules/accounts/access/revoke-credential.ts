import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

const CREDENTIALS = {
  token: { table: sql`access_token`, id: sql`token_id` },
  key: { table: sql`api_key`, id: sql`key_id` },
}

export interface Revoked {
  revokedAt: Date
  /** The sessions that a key had opened. */
  endedSessions: number
  /** Revoking a revoked one changes nothing. */
  isNew: boolean
}

/**
 * Ends an access token or an API key, and with a key the sessions it opened: every process rejects them from the next call on, since each
 * call looks them up. Fails with NOT_FOUND.
 */
export function revokeCredential(
  ctx: Ctx,
  { kind, id }: { kind: keyof typeof CREDENTIALS; id: string },
): Promise<Revoked> {
  const { table, id: column } = CREDENTIALS[kind]
  return inTransaction(ctx, async (ctx) => {
    const credential = await queryOne<{ revokedAt: Date | null }>(
      ctx,
      sql`select revoked_at from ${table} where ${column} = ${id} for no key update`,
    )
    if (credential === undefined) throw new DomainError('NOT_FOUND', { detail: [`${kind} ${id} not found`] })
    if (credential.revokedAt !== null) return { revokedAt: credential.revokedAt, endedSessions: 0, isNew: false }

    const revokedAt = ctx.now()
    await execute(ctx, sql`update ${table} set revoked_at = ${revokedAt} where ${column} = ${id}`)
    const endedSessions = kind === 'key' ? await endSessionsBy(ctx, id) : 0
    await recordAudit(ctx, { action: `${kind}.revoked`, subjectType: kind, subjectId: id, after: { endedSessions } })
    return { revokedAt, endedSessions, isNew: true }
  })
}

/** Index: access_token_key_id. */
function endSessionsBy(ctx: Ctx, keyId: string): Promise<number> {
  return execute(
    ctx,
    sql`update access_token set revoked_at = ${ctx.now()} where key_id = ${keyId} and revoked_at is null`,
  )
}
