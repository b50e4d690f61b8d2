import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import type { Kind } from '#server/modules/review/queue/kind.ts'

interface Counted {
  communityId?: string | undefined
  /** The type of the items. */
  kind?: SubjectType | undefined
}

/** What is counted item by item is counted up to this many, and one more. */
export const COUNTED_ONE_BY_ONE = 10_000

/** How much is pending of a kind that the caller may review, as a statement of one row, `count`: exact where totals count it. */
export function countOfKind(ctx: Ctx, kind: Kind, { communityId, kind: type }: Counted = {}): Sql {
  const narrowed = sql`
    ${communityId === undefined ? sql.empty : sql`and i.community_id = ${communityId}`}
    ${type === undefined ? sql.empty : sql`and i.subject_type = ${type}`}`
  const may = sql`${kind.mayReview(ctx)} ${narrowed}`
  if (kind.tallies)
    return sql`select coalesce(sum(i.total), 0)::float8 as count from ${totals(kind.tallies)} i where ${may}`
  const most = atMost(COUNTED_ONE_BY_ONE + 1)
  return sql`
    select count(*)::float8 as count from (
      select from review_item i where i.state = 'waiting' and i.kind = ${sql.raw(`'${kind.name}'`)} and ${kind.isOpen} and ${may} ${most}) found`
}

/** Folded totals and open deltas of each type in each space, from one snapshot, in the columns of items. */
function totals(tallies: NonNullable<Kind['tallies']>): Sql {
  const [types, names] = [Object.keys(tallies), Object.values(tallies)]
  const wanted = sql`kind = any(${names}::tally_kind[])`
  return sql`(
    select sum(part.total) as total, named.subject_type,
      case when named.subject_type in ('comment', 'post') then nullif(part.subject_id, '') end as community_id,
      case when named.subject_type = 'message' then nullif(part.subject_id, '') end as channel_id
    from (
      select kind, subject_id, total from tally where ${wanted}
      union all
      select kind, subject_id, delta from tally_delta where ${wanted}) part
    join unnest(${names}::text[], ${types}::text[]) as named(tally, subject_type) on named.tally = part.kind::text
    group by named.subject_type, part.subject_id)`
}
