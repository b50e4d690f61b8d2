import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Rule, RuleParams } from '#server/modules/rules/registry/schema.ts'
import {
  ACTION,
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
    select v.version, v.kinds, v.condition, ${ACTION}, v.created_at, v.used_at from rule_version v
    where v.rule_id = ${ruleId} order by version desc limit 100`,
  )
  return { ...toListedRule(row), condition, versions: versions.map(toRuleVersion) }
}

/** A rule as stored, with its current version. */
export type RequiredRule = RuleRow & Pick<VersionRow, 'condition' | 'usedAt'>

/** One rule with its current version, as stored. NOT_FOUND for one the caller may not manage. */
export async function requireRule(ctx: Ctx, ruleId: string): Promise<RequiredRule> {
  const [row] = await requireRules(ctx, [ruleId])
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return row
}

/** Several rules, in the order of their ids, which differ. NOT_FOUND if the caller may not manage one of them. */
export async function requireRules(ctx: Ctx, ruleIds: string[]): Promise<RequiredRule[]> {
  const rows = await query<RequiredRule>(
    ctx,
    sql`
    select ${ruleColumns(ctx)}, v.condition, v.used_at from ${managedRules(ctx)} and r.rule_id = any(${ruleIds}::text[])
    order by array_position(${ruleIds}::text[], r.rule_id)`,
  )
  if (rows.length < ruleIds.length) throw new DomainError('NOT_FOUND')
  return rows
}
