import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import type { Measure } from '#server/modules/network/statements/schema.ts'

/** What statements say, as SQL expressions on the rows of `from`. */
interface NewStatements {
  measure: Measure
  /** Tables, in the form that follows `from`. */
  from: Sql
  userId: Sql
  communityId?: Sql
  channelId?: Sql
  subjectType?: Sql
  subjectId?: Sql
  decisionId?: Sql
  banId?: Sql
  muteId?: Sql
  /** The event with which it is issued; without one it is issued at once. */
  eventId?: Sql
  policyId?: Sql
  explanation?: Sql
  words?: Sql
  /** A text[] of `rule` and `report`. */
  foundBy?: Sql
  isAutomated?: boolean
}

const NONE = sql`null`
/** What is absent. */
const ABSENT = {
  ...{
    communityId: NONE,
    channelId: NONE,
    subjectType: NONE,
    subjectId: NONE,
    eventId: NONE,
    decisionId: NONE,
    banId: NONE,
    muteId: NONE,
  },
  ...{ policyId: NONE, explanation: NONE, words: NONE, foundBy: sql`'{}'` },
}

/**
 * Part of a `with`: writes a statement of reasons for each row of `from`, in the statement that makes the change. The version of a policy is the one in force
 * now. The worker issues it (issue-statements.ts).
 */
export function statementTables(
  ctx: Ctx,
  { measure, from, userId, isAutomated = false, ...given }: NewStatements,
): Sql {
  const said = { ...ABSENT, ...given }
  const madeBy = isAutomated ? null : (actingUserId(ctx) ?? actorName(ctx))
  return sql`
    stated as (
      insert into statement (measure, user_id, community_id, channel_id, subject_type, subject_id, decision_id, ban_id, mute_id, event_id,
        policy_id, policy_version, explanation, words, found_by, is_automated, made_by, created_at)
      select ${measure}, made.*, ${isAutomated}, ${madeBy}, ${ctx.now()}
      from (
        select ${userId}, ${said.communityId}::text, ${said.channelId}::text, ${said.subjectType}::subject_type, ${said.subjectId}::text, ${said.decisionId}::bigint,
          ${said.banId}::bigint, ${said.muteId}::bigint, ${said.eventId}::bigint, policy.*, ${said.explanation}::text, ${said.words}::text, ${said.foundBy}::text[]
        from ${from} left join lateral (
          select p.policy_id, p.version from policy p where p.policy_id = ${said.policyId}) policy on true) made
      returning *)`
}

/** Writes statements on their own, in the transaction of the change. */
export async function writeStatements(ctx: Ctx, statements: NewStatements): Promise<void> {
  await execute(ctx, sql`with ${statementTables(ctx, statements)} select`)
}

/** For an act that was undone: voids its statement, which was not issued yet, and what it had reversed is in force again. Uses statement_of_content. */
export async function voidStatement(
  ctx: Ctx,
  { subjectType, subjectId, eventId, decisionId = null }: Undone,
): Promise<void> {
  await execute(
    ctx,
    sql`
    update statement set voided_at = case when event_id = ${eventId}::bigint then ${ctx.now()}::timestamptz end,
      reversed_at = null, reversed_by = null
    where subject_type = ${subjectType}::subject_type and subject_id = ${subjectId}
      and (event_id = ${eventId}::bigint or reversed_by = ${decisionId}::bigint)`,
  )
}

interface Undone {
  subjectType: string
  subjectId: string
  /** With which the act would have been published. */
  eventId: string
  /** If it was a decision. */
  decisionId?: string | null
}

/** Part of a `with`: what was stated of content that the rows of `decided` publish again is over. Uses statement_of_content. */
export function reversedStatements(ctx: Ctx): Sql {
  return sql`
    reversed as (
      update statement s set reversed_at = ${ctx.now()}, reversed_by = decided.decision_id
      from decided
      where s.subject_type = decided.subject_type and s.subject_id = decided.subject_id and s.measure in ('rejected', 'deleted')
        and s.voided_at is null and s.reversed_at is null)`
}

/** Part of a `with`: the statement of the decision in the row of `given` names the policy and explanation of its new reason. */
export function restatedTables({ policyId, explanation }: { policyId: Sql; explanation: Sql }): Sql {
  return sql`
    restated as (
      update statement s set policy_id = p.policy_id, policy_version = p.version, explanation = ${explanation}
      from given left join policy p on p.policy_id = ${policyId}
      where s.subject_type = given.subject_type and s.subject_id = given.subject_id and s.decision_id = given.decision_id and s.issued_at is null)`
}
