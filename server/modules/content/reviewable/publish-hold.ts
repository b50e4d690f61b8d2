import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import type { PublishedContent } from '#server/modules/content/reviewable/content-event.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'
import { eventTables, isNamedByEndpoint, optionalEventTables } from '#server/modules/ledger/events/record-event.ts'
import { holdersOf, type Judgement } from '#server/modules/rules/judging/judge-content.ts'

/**
 * Tells desks that content is held, and endpoints that name the event: by its id and what holds it, without a word of it. In one
 * statement, which stores the second event only where an endpoint names it. Uses rule_pkey and rule_version_pkey.
 */
export async function publishHold(
  ctx: Ctx,
  type: Reviewable['type'],
  { subjectId, communityId }: Pick<PublishedContent, 'subjectId' | 'communityId'>,
  judgement: Judgement,
): Promise<void> {
  const id = { [`${type}Id`]: subjectId }
  const subject = { subjectType: type, subjectId, communityId }
  const atDesk = {
    ...subject,
    name: `desk.${type}.didHold` as const,
    payload: { ...id, ...holdersOf(judgement) },
    isDeskOnly: true,
  }
  const name = `v3.${type}.didHold` as const
  const { holding, heldByTreatment: treatmentId } = judgement
  const rules = sql`(
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'ruleId', fired.rule_id, 'version', fired.version, 'name', rule.name, 'label', v.action ->> 'label')) order by fired.place), '[]')
    from unnest(${holding.map(({ ruleId }) => ruleId)}::text[], ${holding.map(({ version }) => version)}::int[])
      with ordinality as fired(rule_id, version, place)
    join rule on rule.rule_id = fired.rule_id
    join rule_version v on v.rule_id = fired.rule_id and v.version = fired.version)`
  const outside = {
    ...subject,
    name,
    payload: sql`${JSON.stringify({ ...id, communityId, treatmentId })}::jsonb || jsonb_build_object('rules', ${rules})`,
    isWanted: isNamedByEndpoint(name),
  }
  await execute(
    ctx,
    sql`with ${eventTables(ctx, [atDesk])}, ${optionalEventTables(ctx, outside)} select from stored_event`,
  )
}
