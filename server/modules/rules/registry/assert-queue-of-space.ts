import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { RULE_PROBLEMS } from '#server/modules/rules/problems/schema.ts'
import type { RuleAction } from '#server/modules/rules/registry/schema.ts'

interface Routed {
  communityId: string | null
  action: RuleAction
}

/** Fails with INVALID_PARAMETERS for a rule that names a queue which is neither one of its space nor one of the network. */
export async function assertQueueOfSpace(ctx: Ctx, { communityId, action: { queueId } }: Routed): Promise<void> {
  if (queueId === undefined) return
  const known = await queryOne(
    ctx,
    sql`
    select true as found from named_queue
    where queue_id = ${queueId} and (community_id is null or community_id = ${communityId})`,
  )
  if (known === undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: [`action.queueId: ${RULE_PROBLEMS.unknownQueue}`] })
}
