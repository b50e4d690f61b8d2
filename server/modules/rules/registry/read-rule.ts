import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'
import type { Rule, RuleParams } from '#server/modules/rules/registry/schema.ts'
import {
  managedRules,
  type RuleRow,
  ruleColumns,
  toListedRule,
  toRuleVersion,
  type VersionRow,
} from '#server/modules/rules/registry/view.ts'

/** One rule with its versions. NOT_FOUND for one the caller may not manage. Uses rule_version_pkey. */
export async function readRule(ctx: Ctx, { ruleId }: RuleParams): Promise<Rule> {
  const { condition, ...row } = await requireRule(ctx, ruleId)
  const versions = await query<VersionRow>(
    ctx,
    sql`
    select version, kinds, condition, action, created_at, used_at from rule_version
    where rule_id = ${ruleId} order by version desc limit 100`,
  )
  return { ...toListedRule(row), condition, versions: versions.map(toRuleVersion) }
}

/** The same without its earlier versions, as stored. */
export async function requireRule(
  ctx: Ctx,
  ruleId: string,
): Promise<RuleRow & Pick<VersionRow, 'condition' | 'usedAt'>> {
  const row = await queryOne<RuleRow & { condition: Condition; usedAt: Date | null }>(
    ctx,
    sql`select ${ruleColumns(ctx)}, v.condition, v.used_at from ${managedRules(ctx)} and r.rule_id = ${ruleId}`,
  )
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return row
}
