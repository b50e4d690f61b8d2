import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertReviewers } from '#server/modules/rules/queues/find-reviewers.ts'
import { readNamedQueue } from '#server/modules/rules/queues/lock-queue.ts'
import { recordNamedQueue } from '#server/modules/rules/queues/record-queue.ts'
import { type NamedQueue, type NewNamedQueue, QUEUES_LIMIT } from '#server/modules/rules/queues/schema.ts'
import { writeMembers } from '#server/modules/rules/queues/write-members.ts'
import { assertMayManageRules, lockRulesOf } from '#server/modules/rules/registry/scope.ts'

/**
 * Adds a queue to a space. Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN where they may not manage rules,
 * INVALID_PARAMETERS at the limit and for members who don't review the space.
 */
export function createNamedQueue(ctx: Ctx, { memberIds, name, ...space }: NewNamedQueue): Promise<NamedQueue> {
  return inTransaction(ctx, async (ctx) => {
    await assertMayManageRules(ctx, space)
    await lockRulesOf(ctx, space)
    await assertReviewers(ctx, space, memberIds)
    const made = await queryOne<{ queueId: string }>(
      ctx,
      sql`
      insert into named_queue (community_id, name, created_at, updated_at)
      select ${space.communityId}, ${name}, ${ctx.now()}, ${ctx.now()}
      where (select count(*) from named_queue where community_id is not distinct from ${space.communityId}) < ${QUEUES_LIMIT}::int
      returning queue_id`,
    )
    if (made === undefined)
      throw new DomainError('INVALID_PARAMETERS', { detail: [`queues: there can be at most ${QUEUES_LIMIT}`] })

    const queue = { ...space, ...made }
    await writeMembers(ctx, queue, memberIds)
    await recordNamedQueue(ctx, queue, { action: 'namedQueue.created', after: { memberIds }, name })
    return readNamedQueue(ctx, made.queueId)
  })
}
