import type { Ctx } from '#server/core/ctx.ts'
import { runSteps } from '#server/core/run-steps.ts'
import { forgetTokens } from '#server/modules/accounts/access/forget-tokens.ts'
import { forgetDeliveries } from '#server/modules/integrations/webhooks/forget-deliveries.ts'
import { forgetEvents } from '#server/modules/ledger/events/forget-events.ts'
import { forgetEvidence } from '#server/modules/ledger/evidence/forget-evidence.ts'
import { forgetAnswers } from '#server/modules/ledger/idempotency/forget-answers.ts'
import { clearEndedClaims } from '#server/modules/review/claims/clear-ended-claims.ts'
import { forgetRejectedBands } from '#server/modules/review/rejected/forget-rejected-bands.ts'
import { type RepeatedTask, repeat } from '#server/worker/repeat.ts'

const HOUR_MS = 3_600_000

/** Removes data after its retention period. Safe to run in several processes. */
export function startRetention(ctx: Ctx, periods: RetentionPeriods): RepeatedTask {
  return repeat(ctx, { name: 'retention', everyMs: HOUR_MS, runBatch: (ctx) => forgetBatch(ctx, periods) })
}

export interface RetentionPeriods {
  /** How long what was judged or reported is kept once its item is closed. */
  evidenceDays: number
}

function forgetBatch(ctx: Ctx, { evidenceDays }: RetentionPeriods): Promise<boolean> {
  const forget = [forgetTokens, forgetDeliveries, forgetEvents, forgetAnswers, clearEndedClaims, forgetRejectedBands]
  return runSteps([...forget.map((batchOf) => () => batchOf(ctx)), () => forgetEvidence(ctx, evidenceDays)])
}
