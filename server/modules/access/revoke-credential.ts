import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'

const CREDENTIALS = {
  token: { table: Prisma.sql`access_token`, id: Prisma.sql`token_id` },
  key: { table: Prisma.sql`api_key`, id: Prisma.sql`key_id` },
}

/**
 * Ends an access token or an API key: from the next call on it is nobody's, on every process, since each call looks it up. Ending
 * what was revoked changes nothing. Fails with NOT_FOUND. Says since when it is revoked.
 */
export function revokeCredential(
  ctx: Ctx,
  { kind, id }: { kind: keyof typeof CREDENTIALS; id: string },
): Promise<{ revokedAt: Date }> {
  const { table, id: column } = CREDENTIALS[kind]
  return inTransaction(ctx, async (ctx) => {
    const credential = await queryOne<{ revokedAt: Date | null }>(
      ctx,
      Prisma.sql`select revoked_at as "revokedAt" from ${table} where ${column} = ${id} for no key update`,
    )
    if (credential === undefined) throw new DomainError('NOT_FOUND', { detail: [`there is no ${kind} ${id}`] })
    if (credential.revokedAt !== null) return { revokedAt: credential.revokedAt }

    const revokedAt = ctx.now()
    await queryOne(
      ctx,
      Prisma.sql`update ${table} set revoked_at = ${revokedAt} where ${column} = ${id} returning true as revoked`,
    )
    await recordAudit(ctx, { action: `${kind}.revoked`, subjectType: kind, subjectId: id })
    return { revokedAt }
  })
}
