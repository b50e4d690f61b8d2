import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import { outcomeOf } from '#server/modules/review/rule-records/outcome-of.ts'
import { asRules } from '#server/modules/rules/judging/as-rules.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'

/** A rule is measured by so many of the items it held, rejected or flagged: those decided last. Fewer than `LEAST` say nothing yet. */
const MEASURED = 50
const LEAST = 20
/** Further back than this many items, decisions are not looked for. */
const LOOKED_AT = 500

interface OverturnedRule {
  ruleId: string
  communityId: string | null
  version: number
  revision: number
  decided: number
  approved: number
}

/** How far a look got: what was decided and ended after it is for the next ones. */
export interface Looked {
  decisionId: string
  at: Date
}

/**
 * Sets live rules back to shadow whose items people approve more often than the rule's limit allows: by what its current version held,
 * rejected or flagged since it became live. What a rule rejected counts as rejected until people restore it. Looks at the rules whose items
 * were decided after an earlier look, or whose mutes were ended after it; without one, at all of them. The log and clients learn of each rule.
 */
export async function returnToShadow(ctx: Ctx, since: Looked | undefined): Promise<Looked> {
  const at = ctx.now()
  const latest = await queryOne<{ id: string }>(
    ctx,
    sql`select coalesce(max(decision_id), 0)::text as id from decision`,
  )
  await setAside.workBatch(ctx, async (batch) => {
    const rules = await findOverturned(ctx, since, batch)
    batch.take(rules.map(({ ruleId }) => ruleId))
    for (const rule of rules) await inTransaction(ctx, (ctx) => setBack(ctx, rule))
  })
  return { decisionId: latest?.id ?? '0', at }
}

const setAside = createSetAside('rules')

/** Those that failed are concerned again. Uses decision_pkey, mute_by_rule_lifted, rule_match_subject_type_subject_id_rule_id_key and rule_match_rule_id_match_id_idx. */
function findOverturned(ctx: Ctx, since: Looked | undefined, batch: Batch): Promise<OverturnedRule[]> {
  const isConcerned =
    since === undefined
      ? sql`true`
      : sql`r.rule_id in (
          select m.rule_id from decision d join rule_match m on m.subject_type = d.subject_type and m.subject_id = d.subject_id
          where d.decision_id > ${since.decisionId}::bigint
          union select made.muted_by from mute made where made.rule_version is not null and made.lifted_at >= ${since.at}
          union select unnest(${setAside.failed()}::text[]))`
  return query<OverturnedRule>(
    ctx,
    sql`
    select r.rule_id, r.community_id, r.version, r.revision, measured.decided, measured.approved
    from rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version and v.action ->> 'type' <> 'highlight'
    cross join lateral (
      select count(*)::int as decided, count(*) filter (where outcome = 'approved')::int as approved from (
        select outcome from (
          select m.match_id, m.version, m.is_live, m.created_at,
            coalesce(${outcomeOf(sql`m`)}, case v.action ->> 'type' when 'reject' then 'rejected' end) as outcome from (
            select * from rule_match where rule_id = r.rule_id order by match_id desc ${sql.raw(`limit ${LOOKED_AT}`)}) m
          where m.is_live and m.version = r.version and m.created_at >= coalesce(r.live_since, '-infinity')) held
        where outcome is not null order by match_id desc ${sql.raw(`limit ${MEASURED}`)}) latest) measured
    where r.state = 'live' and r.max_overturned is not null and ${isConcerned} and ${batch.isTaken(sql`r.rule_id`)}
      and measured.decided >= ${LEAST} and measured.approved > r.max_overturned * measured.decided`,
  )
}

/** Sets a rule back to shadow, unless somebody changed it since it was measured. */
async function setBack(ctx: Ctx, { ruleId, communityId, version, revision, decided, approved }: OverturnedRule) {
  const set = await queryOne(
    ctx,
    sql`
    update rule set state = 'shadow', revision = revision + 1, updated_at = ${ctx.now()}
    where rule_id = ${ruleId} and revision = ${revision} and state = 'live' returning rule_id`,
  )
  if (set === undefined) return
  await recordRule(
    asRules(ctx),
    { ruleId, communityId },
    {
      action: 'rule.overturned',
      before: { state: 'live', version },
      after: { state: 'shadow', version, decided, approved },
    },
  )
}
