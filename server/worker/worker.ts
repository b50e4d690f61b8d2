import type { Ctx } from '#server/core/ctx.ts'
import type { FiguresById } from '#server/modules/integrations/classifiers/figures.ts'
import { openDeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import type { WebhookSettings } from '#server/modules/integrations/webhooks/webhook-settings.ts'
import type { HeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { startAskingClassifiers } from '#server/worker/ask-classifiers.ts'
import { startDelivering } from '#server/worker/deliveries.ts'
import { startDroppingItems } from '#server/worker/drop-classifier-items.ts'
import { startEndingBans } from '#server/worker/end-bans.ts'
import { startMaintainingEndpoints } from '#server/worker/endpoints.ts'
import { startErasing } from '#server/worker/erase-people.ts'
import { startFinishingBulks } from '#server/worker/finish-bulks.ts'
import { startJudgingImported } from '#server/worker/judge-imported.ts'
import { startJudgingSignals } from '#server/worker/judge-signals.ts'
import { startNumbering } from '#server/worker/number-messages.ts'
import type { RepeatedTask } from '#server/worker/repeat.ts'
import { type RetentionPeriods, startRetention } from '#server/worker/retention.ts'
import { startSequencer } from '#server/worker/sequencer.ts'
import { startStoringRejectedBands } from '#server/worker/store-rejected-bands.ts'
import { startVerifyingChain } from '#server/worker/verify-chain.ts'
import { startWatchingRules } from '#server/worker/watch-rules.ts'

interface WorkerOptions {
  /** Signs audit rows as they are sealed. */
  auditKey: Buffer
  heads: HeadStore
  webhooks: WebhookSettings
  /** Of the classifiers that this process asks. */
  figures: FiguresById
  periods: RetentionPeriods
}

/** Everything that a process with the role `worker` does besides answering requests. */
export async function startWorker(
  ctx: Ctx,
  { auditKey, heads, webhooks, figures, periods }: WorkerOptions,
): Promise<RepeatedTask> {
  const queue = await openDeliveryQueue(ctx)
  const tasks = [
    startSequencer(ctx, auditKey, { queue, heads }),
    startDelivering(ctx, { queue, key: webhooks.key, outside: webhooks }),
    startMaintainingEndpoints(ctx),
    startAskingClassifiers(ctx, { key: webhooks.key, outside: webhooks, figures }),
    startDroppingItems(ctx),
    startFinishingBulks(ctx),
    startEndingBans(ctx),
    startErasing(ctx),
    startNumbering(ctx),
    startStoringRejectedBands(ctx),
    startJudgingSignals(ctx),
    startJudgingImported(ctx),
    startWatchingRules(ctx),
    startRetention(ctx, periods),
    startVerifyingChain(ctx, auditKey, heads),
  ]
  return {
    stop: async () => {
      await Promise.all(tasks.map((task) => task.stop()))
      await Promise.all([queue.close(), heads.close()])
    },
  }
}
