import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { chooseIndexTerms, countOnLevels, sampledCounts, termsOf } from '#server/modules/search/choose-index-terms.ts'
import { type Facts, SAMPLE } from '#server/modules/search/choose-strategy.ts'
import { askedOf, sampleOf } from '#server/modules/search/read-hits.ts'
import { type Filter, type IndexedSearch, type Search, type Slice, selecting } from '#server/modules/search/search.ts'

/** If no more rows than this pass a filter, all of them are checked. */
const FEW = 5_000

interface Read {
  areWordsRare: boolean
  reach?: string[] | null
  counts: (number | null)[] | null
  termCounts?: (number | null)[] | null
  sample?: { hits: number; level: string | null } | null
}

/**
 * All that decides how a page is read, in at most one statement: whether the words are rare, else a filter that few rows pass, else terms and a
 * sample of the hits.
 */
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
  const indexTerms = found?.termCounts ? chooseIndexTerms(search, terms, found.termCounts) : terms
  // The conditions decide about every row anyway, and so about the reach.
  if (found?.areWordsRare)
    return { search: { ...search, filters: [], rowFilters: search.filters, indexTerms }, facts: { areWordsRare: true } }
  const reached = found?.reach ? reach?.toFilter(found.reach) : undefined
  const filters = [...(reached ? [reached] : []), ...search.filters]
  const counted = [...(reach ? [reached] : []), ...indexed]
  const selectiveFilter = counted.find((_filter, place) => (found?.counts?.[place] ?? Infinity) <= FEW)
  if (selectiveFilter) return { search: { ...search, filters, indexTerms: [] }, facts: { selectiveFilter } }
  return { search: { ...search, filters, indexTerms }, facts: { sample: found?.sample ?? undefined } }
}

/**
 * Filters are counted only if the words are not rare, terms and the sample read only if no filter is selective: PostgreSQL evaluates a subquery
 * when its value is needed.
 */
function readTogether(ctx: Ctx, search: IndexedSearch, slice: Slice, indexed: Filter[]): Promise<Read | undefined> {
  const { table, alias, reach } = search
  const asked = { ...search, reach: reach && { ...reach, values: REACHED } }
  const counts = [
    ...(reach ? [countReached(search)] : []),
    ...indexed.map((filter) => countUpToFew(sql`select from ${table} ${alias} where ${selecting(filter)}`)),
  ]
  const isLarge = sql`(select coalesce(min(one) > ${FEW}, true) from counted cross join unnest(counts) as one)`
  const termCounts = sampledCounts(asked, search.indexTerms)
  const wordCounts = isNarrowed(search) ? sampledCounts(wordsOf(search), search.indexTerms) : []
  const sampled = { ...asked, levels: search.levels.slice(0, SAMPLE.levels) }
  return queryOne<Read>(
    ctx,
    sql`
    with ${reach ? sql`reach as materialized (select ${reach.values} as ids),` : sql.empty}
    counted as materialized (
      select are_words_rare, case when not are_words_rare then ${arrayOf(counts)} end as counts
      from (select ${areWordsRare(search)} as are_words_rare offset 0) as rarity)
    select are_words_rare, counts ${reach ? sql`, ${REACHED} as reach` : sql.empty},
      case when are_words_rare then ${arrayOf(wordCounts)} when ${isLarge} then ${arrayOf(termCounts)} end as term_counts
      ${search.levels.length === 1 ? sql.empty : sql`, case when not are_words_rare and ${isLarge} then ${sampleOf(sampled, slice, SAMPLE.hits)} end as sample`}
    from counted`,
  )
}

function arrayOf(counts: Sql[]): Sql {
  return counts.length === 0 ? sql`null::int[]` : sql`array[${sql.join(counts)}]::int[]`
}

/** What is asked of the words alone. */
function wordsOf(search: IndexedSearch): IndexedSearch {
  return { ...search, filters: [], reach: undefined }
}

/** Whether more than words narrow it, in an index with levels. */
function isNarrowed({ filters, reach, levels }: Search): boolean {
  return levels.length > 1 && (filters.length > 0 || reach !== undefined)
}

/** Whether few rows have the words of a search that is narrowed. The rows that it may not show count too: they are read as well. */
function areWordsRare(search: IndexedSearch): Sql {
  if (!isNarrowed(search)) return sql`false`
  const { levels, isExact } = search
  const asked = askedOf(wordsOf(search), isExact)
  return sql`${countOnLevels(search, { asked, levels: levels.slice(0, SAMPLE.levels), atMost: SAMPLE.rare + 1 })} <= ${SAMPLE.rare}`
}

/** The channels that the caller reaches, from the statement's own table. */
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
