import { type Sql, sql } from '#server/core/db.ts'
import type { RuleAction } from '#server/modules/rules/registry/schema.ts'

/**
 * The live rules that hold the content of these columns, in their order, as an SQL expression of type `ReviewReason[]`: null without any.
 * After an edit they no longer say where. Only for those who review it. Uses rule_match_subject_type_subject_id_rule_id_key and
 * rule_version_pkey.
 */
export function reviewReasonsOf(subjectType: Sql, subjectId: Sql, editedAt: Sql): Sql {
  return matchedRules('hold', subjectType, subjectId, editedAt)
}

/** The same of the live rules that only highlight. */
export function highlightsOf(subjectType: Sql, subjectId: Sql, editedAt: Sql): Sql {
  return matchedRules('highlight', subjectType, subjectId, editedAt)
}

function matchedRules(action: RuleAction['type'], subjectType: Sql, subjectId: Sql, editedAt: Sql): Sql {
  return sql`(
    select jsonb_agg(
      jsonb_build_object('type', 'rule', 'ruleId', m.rule_id, 'version', m.version, 'name', r.name,
        'severity', coalesce(v.action ->> 'severity', 'medium'), 'found', ${foundIn(editedAt)})
      order by r.community_id is not null, r.position, r.rule_id)
    from rule_match m join rule r on r.rule_id = m.rule_id
      join rule_version v on v.rule_id = m.rule_id and v.version = m.version and v.action ->> 'type' = ${action}
    where m.subject_type = ${subjectType} and m.subject_id = ${subjectId} and m.is_live)`
}

/** Where a rule fired, in the match `m`: nowhere in a text that was edited after it. */
export function foundIn(editedAt: Sql): Sql {
  return sql`case when ${editedAt} > m.created_at then '[]'::jsonb else m.found end`
}
