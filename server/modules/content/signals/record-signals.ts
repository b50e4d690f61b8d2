import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { requireKey } from '#server/modules/accounts/access/require-key.ts'
import {
  CLOCK_SKEW_MS,
  type NewSignal,
  type NewSignals,
  type SignalsRecorded,
} from '#server/modules/content/signals/schema.ts'
import { storeSignals } from '#server/modules/content/signals/store-signals.ts'

/**
 * Stores the signals that a program sends. Needs a key that is allowed `signals`, or MANAGE_POST_AND_COMMENT in admin context; else FORBIDDEN.
 * INVALID_PARAMETERS for a time ahead of the clock. Not audited: it is a measurement, and names the key that sent it (docs/decisions/0230-signals.md).
 */
export async function recordSignals(ctx: Ctx, { signals }: NewSignals): Promise<SignalsRecorded> {
  const sentBy = holds(ctx, 'MANAGE_POST_AND_COMMENT') ? null : requireKey(ctx, 'signals').keyId
  assertMeasured(ctx, signals)
  return storeSignals(ctx, signals, sentBy)
}

/** A time far ahead would outlive every later measurement. */
function assertMeasured(ctx: Ctx, signals: NewSignal[]): void {
  const latest = ctx.now().getTime() + CLOCK_SKEW_MS
  const ahead = signals.flatMap(({ measuredAt }, index) =>
    measuredAt && measuredAt.getTime() > latest ? [`signals.${index}.measuredAt: is in the future`] : [],
  )
  if (ahead.length > 0) throw new DomainError('INVALID_PARAMETERS', { detail: ahead })
}
