import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import { reviewedSpaces } from '#server/modules/review/queue/reviewed-spaces.ts'
import type { ListFacetsInput, QueueFacets } from '#server/modules/review/queue/schema.ts'

const FACETS_SHOWN = 1_000

interface FacetRow {
  kind: 'label' | 'rule' | 'signal'
  id: string
  /** Of a rule. */
  name: string | null
}

/**
 * What the held items can be found by in a community, or in all that the caller reviews: rules that hold some of them, the labels of
 * these, and signals that some have.
 * Fails with NOT_FOUND for an unknown community, FORBIDDEN for one the caller does not review.
 */
export async function listFacets(ctx: Ctx, { communityId }: ListFacetsInput): Promise<QueueFacets> {
  const spaces = await reviewedSpaces(ctx, communityId)
  const idsOf = (which: 'comments' | 'posts') =>
    spaces.filter((space) => space[which]).map((space) => space.communityId)
  const rows = await query<FacetRow>(
    ctx,
    sql`
    select known.kind, known.id, r.name
    from (
      select distinct split_part(facet, ':', 1) as kind, substr(facet, strpos(facet, ':') + 1) as id
      from (${facetsIn('comment', idsOf('comments'))} union all ${facetsIn('post', idsOf('posts'))}) held) known
    left join rule r on known.kind = 'rule' and r.rule_id = known.id
    where known.kind in ('signal', 'label') or r.rule_id is not null
    order by known.kind = 'rule', lower(coalesce(r.name, known.id)), known.id ${atMost(FACETS_SHOWN)}`,
  )
  const idsOfKind = (wanted: FacetRow['kind']) => rows.flatMap(({ kind, id }) => (kind === wanted ? id : []))
  return {
    rules: rows.flatMap(({ kind, id, name }) => (kind === 'rule' && name !== null ? { ruleId: id, name } : [])),
    labels: idsOfKind('label'),
    signals: idsOfKind('signal'),
  }
}

/** One look-up in review_facet_in_order for each facet of a community, however many items have it. */
function facetsIn(type: 'comment' | 'post', communityIds: string[]): Sql {
  const next = (after: Sql) => sql`(
    select f.facet from review_facet f
    where f.community_id = space.community_id and f.subject_type = ${sql.raw(`'${type}'`)} ${after}
    order by f.facet ${atMost(1)})`
  return sql`
    select found.facet from unnest(${communityIds}::text[]) space(community_id)
    cross join lateral (
      with recursive found(facet) as (
        select ${next(sql.empty)}
        union all
        select ${next(sql`and f.facet > found.facet`)} from found where found.facet is not null)
      select facet from found where facet is not null) found`
}
