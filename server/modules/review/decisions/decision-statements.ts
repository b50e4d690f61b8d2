import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { policyOfReports } from '#server/modules/network/policies/policy-of-reports.ts'
import { reversedStatements, statementTables } from '#server/modules/network/statements/write-statements.ts'
import type { ItemKind, Outcome } from '#server/modules/review/decisions/schema.ts'
import { actingPoliciesOf } from '#server/modules/rules/judging/review-reasons.ts'

interface Made {
  kind: ItemKind
  outcome: Outcome
  isReversal: boolean
}

/** The end of a `with`: the statements of reasons for the decisions in `decided`, all of one kind and outcome, and the end of those that they reverse. */
export function decisionStatements(ctx: Ctx, { kind, outcome, isReversal }: Made): Sql {
  if (outcome === 'approved' && isReversal) return sql`, ${reversedStatements(ctx)}`
  if (outcome !== 'rejected' && outcome !== 'deleted') return sql.empty
  const byRule = isReversal ? sql`false` : sql`exists (${actingPoliciesOf(contentOf('decided'))})`
  return sql`, ${statementTables(ctx, {
    measure: outcome,
    from: sql`decided`,
    userId: sql`decided.author_id`,
    communityId: sql`decided.community_id`,
    channelId: sql`case decided.subject_type when 'message' then (select m.channel_id from message m where m.message_id = decided.subject_id) end`,
    subjectType: sql`decided.subject_type`,
    subjectId: sql`decided.subject_id`,
    decisionId: sql`decided.decision_id`,
    eventId: sql`decided.event_id`,
    ...reasonOf('decided'),
    foundBy: sql`array_remove(array[case when ${byRule} then 'rule' end, ${kind === 'reported' && !isReversal ? sql`'report'` : sql`null`}], null)`,
  })}`
}

/**
 * Which policy the rows of this table of decisions name: that of the reason, else of the first rule that found the content, else of a report. And the text to
 * authors of the reason.
 */
export function reasonOf(decisions: 'decided' | 'given'): { policyId: Sql; explanation: Sql } {
  const content = contentOf(decisions)
  const reason = sql`rejection_reason r where r.reason_id = ${sql.raw(decisions)}.reason_id`
  return {
    policyId: sql`coalesce(
      (select r.policy_id from ${reason}),
      (select acting.policy_id from (${actingPoliciesOf(content)}) acting where acting.policy_id is not null limit 1),
      ${policyOfReports(content)})`,
    explanation: sql`(select r.text_to_author from ${reason})`,
  }
}

function contentOf(decisions: 'decided' | 'given') {
  const row = sql.raw(decisions)
  return { subjectType: sql`${row}.subject_type`, subjectId: sql`${row}.subject_id` }
}
