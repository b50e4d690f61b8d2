import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertPolicy } from '#server/modules/network/policies/assert-policy.ts'
import { assertKinds } from '#server/modules/rules/registry/assert-kinds.ts'
import { assertQueueOfSpace } from '#server/modules/rules/registry/assert-queue-of-space.ts'
import { assertUsable } from '#server/modules/rules/registry/assert-usable.ts'
import { readRule } from '#server/modules/rules/registry/read-rule.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'
import { type NewRule, RULES_LIMIT, type Rule } from '#server/modules/rules/registry/schema.ts'
import { assertMayManageRules, lockRulesOf } from '#server/modules/rules/registry/scope.ts'

/**
 * Adds a rule at the end of its space, as a draft. Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN where they may not
 * manage rules, INVALID_PARAMETERS at the limit and for conditions that can't be used.
 */
export function createRule(ctx: Ctx, rule: NewRule): Promise<Rule> {
  return inTransaction(ctx, async (ctx) => {
    await assertMayManageRules(ctx, rule)
    assertKinds(rule)
    await assertUsable(rule.condition)
    await assertQueueOfSpace(ctx, rule)
    await assertPolicy(ctx, rule.action.policyId)
    await lockRulesOf(ctx, rule)
    await assertLimit(ctx, rule)
    const ruleId = await insert(ctx, rule)
    const after = { state: 'draft', version: 1 }
    await recordRule(ctx, { ...rule, ruleId }, { action: 'rule.created', after, name: rule.name })
    return readRule(ctx, { ruleId })
  })
}

/** Uses rule_community_id_position_idx. */
async function assertLimit(ctx: Ctx, { communityId }: NewRule): Promise<void> {
  const counted = await queryOne<{ count: number }>(
    ctx,
    sql`
    select count(*)::int as count from rule
    where ${communityId === null ? sql`community_id is null` : sql`community_id = ${communityId}`} and not is_archived`,
  )
  if ((counted?.count ?? 0) >= RULES_LIMIT)
    throw new DomainError('INVALID_PARAMETERS', { detail: [`rules: there can be at most ${RULES_LIMIT}`] })
}

async function insert(
  ctx: Ctx,
  { communityId, name, kinds, condition, action, maxOverturned }: NewRule,
): Promise<string> {
  const by = actingUserId(ctx) ?? actorName(ctx)
  const made = await queryOne<{ ruleId: string }>(
    ctx,
    sql`
    with made as (
      insert into rule (community_id, position, name, owner_id, max_overturned, created_at, updated_at)
      select ${communityId}::text, coalesce(max(position), 0) + 1, ${name}, ${by}, ${maxOverturned}::float8,
        ${ctx.now()}, ${ctx.now()}
      from rule where ${communityId === null ? sql`community_id is null` : sql`community_id = ${communityId}`}
      returning rule_id)
    insert into rule_version (rule_id, version, kinds, condition, action, created_by, created_at)
    select rule_id, 1, ${kinds}, ${JSON.stringify(condition)}::jsonb, ${JSON.stringify(action)}::jsonb, ${by}, ${ctx.now()} from made
    returning rule_id`,
  )
  if (made === undefined) throw new Error('an insert returned no row')
  return made.ruleId
}
