import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { NamedQueue } from '#server/modules/rules/queues/schema.ts'
import { type QueueRow, selectQueues, toNamedQueue } from '#server/modules/rules/queues/view.ts'
import type { RuleSpace } from '#server/modules/rules/registry/schema.ts'
import { assertMayManageRules } from '#server/modules/rules/registry/scope.ts'

/**
 * The queues that rules of a space can name: its own, then those of the network. Fails with NOT_FOUND for a community the caller may not see,
 * FORBIDDEN where they may not manage rules. Uses named_queue_community_id_idx.
 */
export async function listNamedQueues(ctx: Ctx, space: RuleSpace): Promise<NamedQueue[]> {
  await assertMayManageRules(ctx, space)
  const rows = await query<QueueRow>(
    ctx,
    sql`
    ${selectQueues(ctx)}
    where q.community_id = ${space.communityId} or q.community_id is null
    order by q.community_id is null, lower(q.name), q.queue_id`,
  )
  return rows.map(toNamedQueue)
}
