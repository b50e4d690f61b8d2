import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { assertReviewers } from '#server/modules/rules/queues/find-reviewers.ts'
import { lockNamedQueue, readNamedQueue } from '#server/modules/rules/queues/lock-queue.ts'
import { recordNamedQueue } from '#server/modules/rules/queues/record-queue.ts'
import type { NamedQueue, NamedQueueChange } from '#server/modules/rules/queues/schema.ts'
import { writeMembers } from '#server/modules/rules/queues/write-members.ts'

/**
 * Renames a queue, or gives it other members; those who stay need not review any more. Fails with NOT_FOUND for one the caller may not manage,
 * CHANGED if somebody changed it first, INVALID_PARAMETERS for new members who don't review its space. A call that changes nothing is neither
 * logged nor published.
 */
export function changeNamedQueue(
  ctx: Ctx,
  { queueId, revision, name, memberIds }: NamedQueueChange,
): Promise<NamedQueue> {
  return inTransaction(ctx, async (ctx) => {
    const before = await lockNamedQueue(ctx, { queueId, revision })
    const were = before.members.map(({ userId }) => userId)
    const isOtherName = name !== undefined && name !== before.name
    const haveChanged = memberIds !== undefined && !isDeepStrictEqual(memberIds.toSorted(), were.toSorted())
    if (!isOtherName && !haveChanged) return before

    if (haveChanged) {
      const space = { communityId: before.communityId ?? null }
      await assertReviewers(
        ctx,
        space,
        memberIds.filter((id) => !were.includes(id)),
      )
      await writeMembers(ctx, before, memberIds)
    }
    await execute(
      ctx,
      sql`
      update named_queue set name = ${name ?? before.name}, revision = revision + 1, updated_at = ${ctx.now()}
      where queue_id = ${queueId}`,
    )
    await recordNamedQueue(ctx, before, {
      action: 'namedQueue.changed',
      ...(haveChanged && { before: { memberIds: were }, after: { memberIds } }),
      name: isOtherName ? name : undefined,
    })
    return readNamedQueue(ctx, queueId)
  })
}
