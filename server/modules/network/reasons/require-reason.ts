import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

interface GivenReason {
  reasonId?: string | undefined
  reason?: string | undefined
}

/**
 * The words for a rejection: the caller's own or, without any, those of the managed reason. Fails with INVALID_PARAMETERS for a reason that
 * does not exist or is no longer in use.
 */
export async function requireReason(ctx: Ctx, given: GivenReason): Promise<string | undefined> {
  return chooseReason(given, await readManagedReason(ctx, given))
}

/** The words of the managed reason; null without one, and for one that does not exist or is no longer in use. */
export async function readManagedReason(ctx: Ctx, given: GivenReason): Promise<string | null> {
  if (given.reasonId === undefined) return null
  const found = await queryOne<{ label: string | null }>(ctx, sql`select ${managedReason(given)} as label`)
  return found?.label ?? null
}

/** The words of the managed reason, as an SQL expression; null for one that does not exist or is no longer in use. */
export function managedReason({ reasonId }: GivenReason): Sql {
  if (reasonId === undefined) return sql`null::text`
  return sql`(select label from rejection_reason where reason_id = ${reasonId} and not is_archived)`
}

/** What `requireReason` returns, from the words that `managedReason` found. */
export function chooseReason({ reasonId, reason }: GivenReason, label: string | null | undefined): string | undefined {
  if (reasonId === undefined) return reason
  if (typeof label !== 'string') throw new DomainError('INVALID_PARAMETERS', { detail: ['reasonId: unknown reason'] })
  return reason ?? label
}
