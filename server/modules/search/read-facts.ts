import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { chooseIndexTerms, sampledCounts, termsOf } from '#server/modules/search/choose-index-terms.ts'
import { type Facts, SAMPLE } from '#server/modules/search/choose-strategy.ts'
import { sampleOf } from '#server/modules/search/read-hits.ts'
import type { Filter, IndexedSearch, Search, Slice } from '#server/modules/search/search.ts'

/** If no more rows than this pass a filter, all of them are checked. */
const FEW = 5_000

interface Read {
  reach?: string[] | null
  counts: (number | null)[]
  termCounts?: (number | null)[] | null
  sample?: { hits: number; level: string | null } | null
}

/** All that decides how a page is read, in at most one statement: a filter that few rows pass, else terms and a sample of the hits. */
export async function readFacts(
  ctx: Ctx,
  { reach, ...search }: Search,
  slice: Slice,
): Promise<{ search: IndexedSearch; facts: Facts }> {
  const terms = termsOf(search)
  const indexed = search.filters.filter(({ index }) => index !== undefined)
  if (search.levels.length === 1 && indexed.length === 0 && reach === undefined) {
    return { search: { ...search, indexTerms: terms }, facts: { sample: undefined } }
  }
  const found = await readTogether(ctx, { ...search, reach, indexTerms: terms }, slice, indexed)
  const reached = found?.reach ? reach?.toFilter(found.reach) : undefined
  const filters = [...(reached ? [reached] : []), ...search.filters]
  const counted = [...(reach ? [reached] : []), ...indexed]
  const selectiveFilter = counted.find((_filter, place) => (found?.counts[place] ?? Infinity) <= FEW)
  if (selectiveFilter) return { search: { ...search, filters, indexTerms: [] }, facts: { selectiveFilter } }
  const indexTerms = found?.termCounts ? chooseIndexTerms(search, terms, found.termCounts) : terms
  return { search: { ...search, filters, indexTerms }, facts: { sample: found?.sample ?? undefined } }
}

/** Terms and the sample are read only if no filter is selective: PostgreSQL evaluates a subquery when its value is needed. */
function readTogether(ctx: Ctx, search: IndexedSearch, slice: Slice, indexed: Filter[]): Promise<Read | undefined> {
  const { table, alias, reach } = search
  const asked = { ...search, reach: reach && { ...reach, values: REACHED } }
  const counts = [
    ...(reach ? [countReached(search)] : []),
    ...indexed.map(({ condition }) => countUpToFew(sql`select from ${table} ${alias} where ${condition}`)),
  ]
  const isLarge = sql`(select coalesce(min(one) > ${FEW}, true) from counted cross join unnest(counts) as one)`
  const termCounts = sampledCounts(asked, asked.indexTerms)
  const sampled = { ...asked, levels: search.levels.slice(0, SAMPLE.levels) }
  return queryOne<Read>(
    ctx,
    sql`
    with ${reach ? sql`reach as materialized (select ${reach.values} as ids),` : sql.empty}
    counted as materialized (select array[${sql.join(counts.length === 0 ? [sql`null`] : counts)}]::int[] as counts)
    select counts ${reach ? sql`, ${REACHED} as reach` : sql.empty}
      ${termCounts.length === 0 ? sql.empty : sql`, case when ${isLarge} then array[${sql.join(termCounts)}] end as term_counts`}
      ${search.levels.length === 1 ? sql.empty : sql`, case when ${isLarge} then ${sampleOf(sampled, slice, SAMPLE.hits)} end as sample`}
    from counted`,
  )
}

/** Of the statement's own table. */
const REACHED = sql`(select ids from reach)`

function countUpToFew(rows: Sql): Sql {
  return sql`(select count(*)::int from (${rows} ${sql.raw(`limit ${FEW + 1}`)}) as found)`
}

/** Uses message_in_channel for each channel: in its order, so that it is used however many rows the planner expects. */
function countReached({ table, alias, at }: Search): Sql {
  return sql`case when ${REACHED} is not null then ${countUpToFew(sql`
    select from unnest(${REACHED}) as one(channel_id) cross join lateral (
      select from ${table} ${alias} where ${alias}.channel_id = one.channel_id order by ${at} desc
      ${sql.raw(`limit ${FEW + 1}`)}) as ${alias}`)} end`
}
