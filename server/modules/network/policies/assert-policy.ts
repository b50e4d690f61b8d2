import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

/**
 * Fails with INVALID_PARAMETERS for a policy that is unknown or archived. Without one, or with the one that was there before, there is nothing to check:
 * an archived one may stay.
 */
export async function assertPolicy(ctx: Ctx, policyId: string | undefined, before?: string): Promise<void> {
  if (policyId !== before) await assertKnown(ctx, [policyId], sql`not is_archived`)
}

/** Fails with INVALID_PARAMETERS if one of them is unknown. For what is put back as it was: its policy may be archived since. */
export function assertKnownPolicies(ctx: Ctx, policyIds: (string | undefined)[]): Promise<void> {
  return assertKnown(ctx, policyIds, sql`true`)
}

async function assertKnown(ctx: Ctx, policyIds: (string | undefined)[], isAllowed: Sql): Promise<void> {
  const asked = [...new Set(policyIds.filter((policyId) => policyId !== undefined))]
  if (asked.length === 0) return
  const known = await queryOne<{ count: number }>(
    ctx,
    sql`select count(*)::int as count from policy where policy_id = any(${asked}::text[]) and ${isAllowed}`,
  )
  if (known?.count !== asked.length)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['policyId: unknown policy'] })
}
