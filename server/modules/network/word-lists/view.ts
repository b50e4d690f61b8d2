import { sql } from '#server/core/db.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { ListRule } from '#server/modules/network/word-lists/schema.ts'

/** What `toRuleView` reads, selected from `list_rule r`. */
export const RULE_COLUMNS = sql`
  r.rule_id, r.pattern, r.is_match_exact_word, r.category, r.created_at`

export interface RuleRow {
  ruleId: string
  pattern: string
  isMatchExactWord: boolean
  category: ListRule['category']
  createdAt: Date
}

export function toRuleView(row: RuleRow): ListRule {
  return {
    ruleId: row.ruleId,
    regex: row.pattern,
    isMatchExactWord: row.isMatchExactWord,
    category: row.category,
    createdAt: timestampOf(row.createdAt),
  }
}
