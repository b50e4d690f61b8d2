import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { NamedQueue, NamedQueueRevision } from '#server/modules/rules/queues/schema.ts'
import { isManaged, type QueueRow, selectQueues, toNamedQueue } from '#server/modules/rules/queues/view.ts'

/** Reads a queue, and locks it until the transaction ends. NOT_FOUND for one the caller may not manage, CHANGED if somebody changed it first. */
export async function lockNamedQueue(ctx: Ctx, { queueId, revision }: NamedQueueRevision): Promise<NamedQueue> {
  await queryOne(ctx, sql`select from named_queue q where q.queue_id = ${queueId} and ${isManaged(ctx)} for update`)
  const queue = await readNamedQueue(ctx, queueId)
  if (queue.revision !== revision) throw new DomainError('CHANGED')
  return queue
}

/** NOT_FOUND for one the caller may not manage. */
export async function readNamedQueue(ctx: Ctx, queueId: string): Promise<NamedQueue> {
  const row = await queryOne<QueueRow>(
    ctx,
    sql`${selectQueues(ctx)} where q.queue_id = ${queueId} and ${isManaged(ctx)}`,
  )
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return toNamedQueue(row)
}
