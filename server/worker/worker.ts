import type { Ctx } from '#server/core/ctx.ts'
import { receiveWrites } from '#server/core/database/forward-writes.ts'
import type { FiguresById } from '#server/modules/integrations/classifiers/figures.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { openDeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import type { WebhookSettings } from '#server/modules/integrations/webhooks/webhook-settings.ts'
import type { HeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { startAskingClassifiers } from '#server/worker/ask-classifiers.ts'
import { startDelivering } from '#server/worker/deliveries.ts'
import { type RepeatedTask, repeatAll, stopAll } from '#server/worker/repeat.ts'
import { startSequencer } from '#server/worker/sequencer.ts'
import { type RetentionPeriods, tasksOf } from '#server/worker/tasks.ts'

interface WorkerOptions {
  /** Signs audit rows as they are sealed. */
  auditKey: Buffer
  heads: HeadStore
  webhooks: WebhookSettings
  /** Of the classifiers that this process asks. */
  figures: FiguresById
  periods: RetentionPeriods
  notifications: NotificationParts
}

/** Everything that a process with the role `worker` does besides answering requests. */
export async function startWorker(
  ctx: Ctx,
  { auditKey, heads, webhooks, figures, periods, notifications }: WorkerOptions,
): Promise<RepeatedTask> {
  const queue = await openDeliveryQueue(ctx)
  const tasks = stopAll([
    startSequencer(ctx, auditKey, { queue, heads }),
    startDelivering(ctx, { queue, key: webhooks.key, outside: webhooks }),
    startAskingClassifiers(ctx, { key: webhooks.key, outside: webhooks, figures }),
    repeatAll(ctx, tasksOf({ auditKey, heads, periods, notifications })),
    receiveWrites(ctx.pool, ctx.log),
  ])
  return {
    stop: async () => {
      await tasks.stop()
      await Promise.all([queue.close(), heads.close()])
    },
  }
}
