import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { lockNamedQueue } from '#server/modules/rules/queues/lock-queue.ts'
import { recordNamedQueue } from '#server/modules/rules/queues/record-queue.ts'
import type { NamedQueueRevision } from '#server/modules/rules/queues/schema.ts'

/**
 * Deletes a queue. Rules that name it go on holding, and what they hold stays where everybody sees it. Fails with NOT_FOUND for one the caller
 * may not manage, CHANGED if somebody changed it first.
 */
export function deleteNamedQueue(ctx: Ctx, input: NamedQueueRevision): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const queue = await lockNamedQueue(ctx, input)
    await execute(ctx, sql`delete from named_queue where queue_id = ${queue.queueId}`)
    const before = { memberIds: queue.members.map(({ userId }) => userId) }
    await recordNamedQueue(ctx, queue, { action: 'namedQueue.deleted', before, name: queue.name })
  })
}
