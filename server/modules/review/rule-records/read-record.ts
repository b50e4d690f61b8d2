import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { outcomeOf } from '#server/modules/review/rule-records/outcome-of.ts'
import { matchesAfter, pageOfItems, readItems } from '#server/modules/review/rule-records/recorded-items.ts'
import {
  COUNTED_ITEMS,
  type DecidedCounts,
  type RuleRecord,
  type RuleRecordInput,
} from '#server/modules/review/rule-records/schema.ts'
import { requireRule } from '#server/modules/rules/registry/read-rule.ts'

/**
 * What a rule did, or would have done, and what people decided on it. Texts are there for content that the caller reviews. Fails with
 * NOT_FOUND for a rule the caller may not manage, INVALID_REQUEST for a cursor that isn't one.
 */
export async function readRuleRecord(ctx: Ctx, { ruleId, cursor, limit }: RuleRecordInput): Promise<RuleRecord> {
  await requireRule(ctx, ruleId)
  const after = matchesAfter(cursor)
  // Uses rule_match_rule_id_match_id_idx.
  const matches = sql`
    select * from rule_match m where m.rule_id = ${ruleId} ${after} order by m.match_id desc ${sql.raw(`limit ${limit + 1}`)}`
  const [rows, counts] = await Promise.all([
    readItems(ctx, matches),
    cursor === undefined ? countDecided(ctx, ruleId) : undefined,
  ])
  return { ...(counts && { counts }), ...pageOfItems(rows, limit) }
}

/** Uses rule_match_rule_id_match_id_idx and decision_subject_type_subject_id_decided_at_idx. */
async function countDecided(ctx: Ctx, ruleId: string): Promise<RuleRecord['counts']> {
  const rows = await query<DecidedCounts & { isLive: boolean }>(
    ctx,
    sql`
    select is_live, count(*)::int as items, count(*) filter (where outcome = 'rejected')::int as rejected,
      count(*) filter (where outcome = 'approved')::int as approved
    from (
      select m.is_live, ${outcomeOf(sql`m`)} as outcome from (
        select * from rule_match where rule_id = ${ruleId} order by match_id desc ${sql.raw(`limit ${COUNTED_ITEMS}`)}) m) judged
    group by is_live order by is_live`,
  )
  const countsOf = (isLive: boolean): DecidedCounts => {
    const { items = 0, rejected = 0, approved = 0 } = rows.find((row) => row.isLive === isLive) ?? {}
    return { items, rejected, approved }
  }
  const [live, shadow] = [countsOf(true), countsOf(false)]
  return { live, shadow, isPartial: live.items + shadow.items >= COUNTED_ITEMS }
}
