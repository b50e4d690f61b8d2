import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

/**
 * The words for a rejection: the caller's own or, without any, those of the managed reason. Fails with INVALID_PARAMETERS for a reason that
 * does not exist or is no longer in use.
 */
export async function requireReason(
  ctx: Ctx,
  { reasonId, reason }: { reasonId?: string | undefined; reason?: string | undefined },
): Promise<string | undefined> {
  if (reasonId === undefined) return reason
  const managed = await queryOne<{ label: string }>(
    ctx,
    sql`select label from rejection_reason where reason_id = ${reasonId} and not is_archived`,
  )
  if (managed === undefined) throw new DomainError('INVALID_PARAMETERS', { detail: ['reasonId: unknown reason'] })
  return reason ?? managed.label
}
