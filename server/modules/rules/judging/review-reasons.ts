import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import type { RuleAction } from '#server/modules/rules/registry/schema.ts'

/** The columns of some content. */
interface Columns {
  subjectType: Sql
  subjectId: Sql
  editedAt: Sql
}

/**
 * The live rules that hold content or rejected it, in their order, and before them its author's treatment if that holds it, as an SQL expression of type
 * `ReviewReason[]`: null without any. `action` is an expression that says which: 'hold', or 'reject' of what people have not decided on since, or null.
 * After an edit rules no longer say where. Only for those who review it. Uses rule_match_subject_type_subject_id_rule_id_key, rule_version_pkey,
 * decision_subject_type_subject_id_decided_at_idx and author_treatment_hold_pkey.
 */
export function reviewReasonsOf(content: Columns, action: Sql): Sql {
  const rules = matchedRules(sql`${ACTION} = ${action} and (${ACTION} <> 'reject' or not ${IS_OVERRULED})`, content)
  return withTreatments(content, sql`${action} = 'hold'`, rules)
}

/** The live rules that flagged content, as `reviewReasonsOf` lists them. */
export function flaggingRulesOf(content: Columns): Sql {
  return matchedRules(oneOf('flag'), content)
}

/** All live rules and treatments that held, rejected or flagged content, whatever became of it, as `reviewReasonsOf` lists them: for the events of decisions. */
export function actingRulesOf(content: Columns): Sql {
  return withTreatments(content, sql`true`, matchedRules(oneOf('hold', 'reject', 'flag'), content))
}

/** The live rules that only highlight content, as `reviewReasonsOf` lists them. */
export function highlightsOf(content: Columns): Sql {
  return matchedRules(oneOf('highlight'), content)
}

/** The policy that this version of a rule names, as an SQL expression. */
export function policyOfRule({ ruleId, version }: { ruleId: string; version: number }): Sql {
  return sql`(select v.action ->> 'policyId' from rule_version v where v.rule_id = ${ruleId} and v.version = ${version})`
}

/** The rules that held, rejected or flagged content, in their order, as a table with `policy_id`. */
export function actingPoliciesOf({ subjectType, subjectId }: Identity): Sql {
  return sql`
    select v.action ->> 'policyId' as policy_id, fired.community_id is not null as is_own, fired.position, fired.rule_id
    from rule_match m join rule fired on fired.rule_id = m.rule_id
      join rule_version v on v.rule_id = m.rule_id and v.version = m.version and ${oneOf('hold', 'reject', 'flag')}
    where m.subject_type = ${subjectType} and m.subject_id = ${subjectId} and m.is_live
    order by is_own, position, rule_id`
}

/** The action of the matched version `v` of a rule. */
const ACTION = sql`v.action ->> 'type'`

function oneOf(...actions: RuleAction['type'][]): Sql {
  return sql`${ACTION} = any(${actions}::text[])`
}

/** Adds the treatment that holds or held content, on a condition, to the rules. */
function withTreatments({ subjectType, subjectId }: Columns, condition: Sql, rules: Sql): Sql {
  return sql`nullif(coalesce((
    select jsonb_build_array(jsonb_build_object('type', 'treatment', 'treatmentId', h.treatment_id::text)) from author_treatment_hold h
    where h.subject_type = ${subjectType} and h.subject_id = ${subjectId} and ${condition}), '[]') || coalesce(${rules}, '[]'), '[]')`
}

function matchedRules(acted: Sql, { subjectType, subjectId, editedAt }: Columns): Sql {
  return sql`(
    select jsonb_agg(
      jsonb_strip_nulls(jsonb_build_object('label', v.action ->> 'label', 'type', 'rule', 'ruleId', m.rule_id, 'version', m.version, 'name', fired.name,
        'severity', coalesce(v.action ->> 'severity', 'medium'), 'found', ${foundIn(editedAt)}))
      order by fired.community_id is not null, fired.position, fired.rule_id)
    from rule_match m join rule fired on fired.rule_id = m.rule_id
      join rule_version v on v.rule_id = m.rule_id and v.version = m.version and ${acted}
    where m.subject_type = ${subjectType} and m.subject_id = ${subjectId} and m.is_live)`
}

/** Whether people have decided since on the content of the match `m`. */
const IS_OVERRULED = sql`exists (
  select from decision d
  where d.subject_type = m.subject_type and d.subject_id = m.subject_id and d.undone_at is null and d.decided_at >= m.created_at)`

interface Subject {
  subjectType: string
  subjectId: string
}

/** Whether rules rejected what is rejected, and not people. */
export async function isRejectedByRules(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<boolean> {
  const content = { subjectType: sql`${subjectType}::subject_type`, subjectId: sql`${subjectId}` }
  const found = await queryOne(ctx, sql`select true as found where ${isByRules(content)}`)
  return found !== undefined
}

/** Whether rules rejected the content of these columns, and not people, as an SQL condition. */
export function isByRules(content: Identity): Sql {
  return sql`exists (select from ${rejectionsOf(content)} and not ${IS_OVERRULED})`
}

type Identity = Omit<Columns, 'editedAt'>

/** The matches `m` by which rules rejected the content of these columns. */
function rejectionsOf({ subjectType, subjectId }: Identity): Sql {
  return sql`
    rule_match m join rule_version v on v.rule_id = m.rule_id and v.version = m.version and ${ACTION} = 'reject'
    where m.subject_type = ${subjectType} and m.subject_id = ${subjectId} and m.is_live`
}

/** When rules rejected the content of these columns last, and the names of those that did, as an SQL expression of type `Rejection`: null if none did. */
export function rejectionOf(content: Identity): Sql {
  return sql`(
    select jsonb_build_object('at', max(found.created_at),
      'by', jsonb_agg(fired.name order by fired.community_id is not null, fired.position, fired.rule_id))
    from (select m.rule_id, m.created_at, max(m.created_at) over () as last from ${rejectionsOf(content)}) found
      join rule fired on fired.rule_id = found.rule_id
    where found.created_at = found.last having count(*) > 0)`
}

/** When rules rejected the content last, as an SQL expression. */
export function rejectedByRulesAt(content: Identity): Sql {
  return sql`(select max(m.created_at) from ${rejectionsOf(content)})`
}

export interface Rejection {
  at: string
  by: string[]
}

/** Where a rule fired, in the match `m`: nowhere in a text that was edited after it. */
export function foundIn(editedAt: Sql): Sql {
  return sql`case when ${editedAt} > m.created_at then '[]'::jsonb else m.found end`
}
