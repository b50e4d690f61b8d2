import type { Ctx } from '#server/core/ctx.ts'
import { runSteps } from '#server/core/run-steps.ts'
import { forgetTokens } from '#server/modules/accounts/access/forget-tokens.ts'
import { judgeImported } from '#server/modules/content/imported/judge-imported.ts'
import { numberPending } from '#server/modules/content/messages/number-messages.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { dropItems } from '#server/modules/integrations/classifiers/drop-items.ts'
import {
  fillNotifications,
  lookForNotifications,
} from '#server/modules/integrations/notifications/fill-notifications.ts'
import { forgetNotifications, forgetPosts } from '#server/modules/integrations/notifications/forget-notifications.ts'
import { createMailTask } from '#server/modules/integrations/notifications/mail/send-due-mail.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { createPushTask } from '#server/modules/integrations/notifications/push/send-due-push.ts'
import { createRoomsTask } from '#server/modules/integrations/notifications/rooms/send-due-posts.ts'
import { forgetDeliveries } from '#server/modules/integrations/webhooks/forget-deliveries.ts'
import {
  closeInterruptedAttempts,
  switchOffFailingEndpoints,
} from '#server/modules/integrations/webhooks/maintain-endpoints.ts'
import type { HeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { verifyBatch } from '#server/modules/ledger/audit/walk-chain.ts'
import { forgetEvents } from '#server/modules/ledger/events/forget-events.ts'
import { forgetEvidence } from '#server/modules/ledger/evidence/forget-evidence.ts'
import { forgetAnswers } from '#server/modules/ledger/idempotency/forget-answers.ts'
import { issueStatements } from '#server/modules/network/statements/issue-statements.ts'
import { eraseBatch } from '#server/modules/people/erase-batch.ts'
import { clearEndedClaims } from '#server/modules/review/claims/clear-ended-claims.ts'
import { forgetRejectedBands } from '#server/modules/review/rejected/forget-rejected-bands.ts'
import { storeRejectedBands } from '#server/modules/review/rejected/store-rejected-bands.ts'
import { type Looked, returnToShadow } from '#server/modules/review/rule-records/return-to-shadow.ts'
import { endDueTreatments } from '#server/modules/spaces/author-treatments/end-treatments.ts'
import { findNextEnd } from '#server/modules/spaces/sanctions/find-next-end.ts'
import { liftEndedBans } from '#server/modules/spaces/sanctions/lift-ended-bans.ts'
import { liftEndedMutes } from '#server/modules/spaces/sanctions/lift-ended-mutes.ts'
import { finishBatch } from '#server/worker/finish-bulks.ts'
import { msUntil, type Task } from '#server/worker/repeat.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

/** Has rules judge the scores that classifiers send. */
export const JUDGE_SIGNALS: Task = {
  name: 'signals',
  everyMs: SECOND_MS,
  wokenBy: ['signal'],
  runBatch: judgeSignals,
}

interface TaskOptions {
  /** Signs the heads of the log. */
  auditKey: Buffer
  heads: HeadStore
  periods: RetentionPeriods
  notifications: NotificationParts
}

export interface RetentionPeriods {
  /** How long what was judged or reported is kept once its item is closed. */
  evidenceDays: number
}

/**
 * What the worker does besides putting rows in order, asking classifiers and delivering to endpoints. Each is safe to run in several processes, and after
 * a stop continues where it ended.
 */
export function tasksOf({ auditKey, heads, periods, notifications }: TaskOptions): Task[] {
  return [
    // Also those that ended while no process ran.
    {
      name: 'bans',
      everyMs: SECOND_MS,
      wokenBy: ['author_treatment', 'ban', 'channel_user', 'community_user'],
      runBatch: async (ctx) => {
        const inMs = msUntil(ctx, await findNextEnd(ctx))
        return inMs === 0 ? liftEnded(ctx) : inMs
      },
    },
    // Piece by piece.
    { name: 'erasing', everyMs: SECOND_MS, wokenBy: ['erasure'], runBatch: eraseBatch },
    // For the condition on similarity.
    { name: 'rejected bands', everyMs: 500, wokenBy: ['decision'], runBatch: storeRejectedBands },
    JUDGE_SIGNALS,
    // Follows new seals, and walks along the others: a few milliseconds each time, ten million acts in an hour and a half.
    {
      name: 'chain',
      everyMs: SECOND_MS,
      wokenBy: ['audit_seal'],
      runBatch: async (ctx) => (await verifyBatch(ctx, auditKey, await heads.known())) && 0,
    },
    // A closed browser, a lost connection, a killed process.
    { name: 'bulks', everyMs: 5 * SECOND_MS, runBatch: finishBatch },
    { name: 'imported items', everyMs: 15 * SECOND_MS, runBatch: judgeImported },
    // Messages of imports that were cut off.
    { name: 'numbering', everyMs: 10 * SECOND_MS, runBatch: numberPending },
    // Those that are pending for too long.
    { name: 'classifier items', everyMs: 15 * SECOND_MS, runBatch: dropItems },
    // Those that have failed for days, and attempts of crashed processes.
    { name: 'endpoints', everyMs: 15 * SECOND_MS, runBatch: maintainEndpoints },
    // Those that people overturn too often go back to shadow, at first also those they overturned while no process ran.
    { name: 'rules', everyMs: 15 * SECOND_MS, runBatch: watchRules() },
    { name: 'notifications', everyMs: SECOND_MS, wokenBy: ['event'], runBatch: fillNotifications },
    { name: 'notifications by time', everyMs: 60 * SECOND_MS, runBatch: lookForNotifications },
    { name: 'statements', everyMs: SECOND_MS, wokenBy: ['event'], runBatch: issueStatements },
    // By itself, so that a slow mail server holds up nothing else.
    { name: 'mail', everyMs: 5 * SECOND_MS, runBatch: createMailTask(notifications) },
    { name: 'push', everyMs: 5 * SECOND_MS, runBatch: createPushTask(notifications) },
    { name: 'chat rooms', everyMs: 5 * SECOND_MS, runBatch: createRoomsTask(notifications) },
    { name: 'retention', everyMs: HOUR_MS, runBatch: (ctx) => forgetBatch(ctx, periods) },
  ]
}

async function liftEnded(ctx: Ctx): Promise<true | number> {
  const steps = [liftEndedBans, liftEndedMutes, endDueTreatments]
  return (await runSteps(steps.map((step) => async () => (await step(ctx)) > 0))) || 0
}

async function maintainEndpoints(ctx: Ctx): Promise<false> {
  await runSteps([closeInterruptedAttempts, switchOffFailingEndpoints].map((step) => async () => (await step(ctx)) > 0))
  return false
}

/** Decisions are numbered, and ends of mutes dated, before they are committed: each look goes back to the look before the last. */
function watchRules(): Task['runBatch'] {
  let [seen, seenBefore]: [Looked?, Looked?] = []
  return async (ctx) => {
    const latest = await returnToShadow(ctx, seenBefore)
    seenBefore = seen
    seen = latest
    return false
  }
}

function forgetBatch(ctx: Ctx, { evidenceDays }: RetentionPeriods): Promise<boolean> {
  const forget = [
    forgetTokens,
    forgetDeliveries,
    forgetEvents,
    forgetAnswers,
    clearEndedClaims,
    forgetRejectedBands,
    forgetNotifications,
    forgetPosts,
  ]
  return runSteps([...forget.map((batchOf) => () => batchOf(ctx)), () => forgetEvidence(ctx, evidenceDays)])
}
