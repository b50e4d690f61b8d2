import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { FailedRule } from '#server/modules/rules/conditions/judge.ts'
import { asRules } from '#server/modules/rules/judging/as-rules.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'

/**
 * Pauses rules that failed, unless somebody changed them since: the log and clients learn of it, and writing goes on without them. Failures
 * are rare, so each is recorded by itself.
 */
export async function pauseFailedRules(ctx: Ctx, failed: FailedRule[]): Promise<void> {
  if (failed.length === 0) return
  const paused = await query<{ ruleId: string; communityId: string | null; version: number; state: string }>(
    ctx,
    sql`
    update rule r set state = 'paused', revision = r.revision + 1, updated_at = ${ctx.now()}
    from (
      select rule_id, state from rule
      where rule_id = any(${failed.map(({ ruleId }) => ruleId)}::text[]) and state in ('shadow', 'live')
      order by rule_id for no key update) before,
    unnest(${failed.map(({ ruleId }) => ruleId)}::text[], ${failed.map(({ version }) => version)}::int[]) as failing(rule_id, version)
    where r.rule_id = before.rule_id and failing.rule_id = r.rule_id and failing.version = r.version
    returning r.rule_id, r.community_id, r.version, before.state::text as state`,
  )
  for (const { state, version, ...rule } of paused) {
    const { reason, error } = failed.find(({ ruleId }) => ruleId === rule.ruleId) ?? {}
    ctx.log.warn({ ruleId: rule.ruleId, version, reason, err: error }, 'paused a rule that failed')
    const after = { state: 'paused', version, reason }
    await recordRule(asRules(ctx), rule, { action: 'rule.failed', before: { state, version }, after })
  }
}
