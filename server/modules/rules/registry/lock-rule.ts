import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { requireRule } from '#server/modules/rules/registry/read-rule.ts'
import type { RuleRevision } from '#server/modules/rules/registry/schema.ts'
import { lockRulesOf } from '#server/modules/rules/registry/scope.ts'

export type LockedRule = Awaited<ReturnType<typeof requireRule>>

/**
 * Reads a rule and locks the rules of its space, until the transaction ends. NOT_FOUND for one the caller may not manage, CHANGED if somebody
 * has changed it since the caller read it.
 */
export async function lockRule(ctx: Ctx, { ruleId, revision }: RuleRevision): Promise<LockedRule> {
  await lockRulesOf(ctx, await requireRule(ctx, ruleId))
  // Docket itself stops rules without the lock of their space.
  await queryOne(ctx, sql`select from rule where rule_id = ${ruleId} for no key update`)
  // Read again once the locks are held: with the change of their previous holder.
  const rule = await requireRule(ctx, ruleId)
  if (rule.revision !== revision) throw new DomainError('CHANGED')
  return rule
}
