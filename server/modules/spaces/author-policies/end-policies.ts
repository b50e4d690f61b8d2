import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockPerson } from '#server/modules/accounts/roles/lock-person.ts'
import { mayEnd } from '#server/modules/spaces/author-policies/may-set-policy.ts'
import { assertUnchanged } from '#server/modules/spaces/author-policies/policy-conflict.ts'
import { isInForce } from '#server/modules/spaces/author-policies/policy-of.ts'
import {
  publishPolicies,
  STORED_POLICY,
  type StoredPolicy,
} from '#server/modules/spaces/author-policies/publish-policies.ts'
import { mayKnowPolicy } from '#server/modules/spaces/author-policies/read-policies.ts'
import type { EndPolicyInput } from '#server/modules/spaces/author-policies/schema.ts'

/**
 * Ends a policy, for those who may set it, and returns whose it was. Fails with NOT_FOUND for one that the caller may not know of, FORBIDDEN without the permissions and for
 * people of equal or higher rank, and CHANGED, with who ended it, where it is over.
 */
export function endPolicy(ctx: Ctx, { policyId }: EndPolicyInput): Promise<{ userId: string }> {
  const isIt = sql`a.policy_id = ${policyId}::bigint`
  return inTransaction(ctx, async (ctx) => {
    const known = await queryOne<{ userId: string; communityId: string | null }>(
      ctx,
      sql`select a.user_id, a.community_id from author_policy a where ${isIt} and ${mayKnowPolicy(ctx)}`,
    )
    if (known === undefined) throw new DomainError('NOT_FOUND')
    await lockPerson(ctx, known.userId)
    const may = await queryOne(ctx, sql`select 1 as may from author_policy a where ${isIt} and ${mayEnd(ctx)}`)
    if (may === undefined) throw new DomainError('FORBIDDEN')
    const ended = await queryOne<StoredPolicy>(
      ctx,
      sql`
      update author_policy a set ended_at = ${ctx.now()}, ended_by = ${actingUserId(ctx) ?? actorName(ctx)}
      where ${isIt} and ${isInForce(ctx)} returning ${STORED_POLICY}`,
    )
    if (ended === undefined) return assertUnchanged(ctx, known)
    await publishPolicies(ctx, [{ policy: ended, act: 'ended' }])
    return { userId: ended.userId }
  })
}

const POLICIES_PER_BATCH = 100

/**
 * Closes policies whose time is over, in the log and for desks: they have had no effect since. Returns how many there were. Of two workers one closes
 * each. Uses author_policy_ends.
 */
export function endDuePolicies(ctx: Ctx): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const ended = await query<StoredPolicy>(
      ctx,
      sql`
      update author_policy a set ended_at = a.ends_at, ended_by = null
      from (
        select policy_id from author_policy where ended_at is null and ends_at <= ${ctx.now()}
        order by ends_at, policy_id ${sql.raw(`limit ${POLICIES_PER_BATCH}`)} for update skip locked) due
      where a.policy_id = due.policy_id returning ${STORED_POLICY}`,
    )
    await publishPolicies(
      ctx,
      ended.map((policy) => ({ policy, act: 'ended' })),
    )
    return ended.length
  })
}
