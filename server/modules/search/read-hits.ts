import type { Ctx } from '#server/core/ctx.ts'
import { jsonOfRows, rowsOfJson } from '#server/core/database/json-rows.ts'
import { pageClauses } from '#server/core/database/keyset.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { beyondIndex, rowMatches } from '#server/modules/search/row-conditions.ts'
import {
  type Filter,
  type Found,
  type Hit,
  type IndexedSearch,
  RANKS,
  type Search,
  type Slice,
  selecting,
} from '#server/modules/search/search.ts'
import type { GatheredEnvelope } from '#server/modules/search/search-envelope.ts'

/** The most rows walked for a page of a common term before all of its hits are sorted instead. */
const WALKED = 20_000

/** The page out of the rows of one filter. */
export function readFilteredRows(ctx: Ctx, search: Search, slice: Slice, selective: Filter): Promise<Found> {
  const { table, alias, join, filters, conditions } = search
  const others = filters.filter((filter) => filter !== selective).map(selecting)
  return readPage(ctx, slice, {
    answer: search.answer,
    hits: sql`
      select ${hitColumns(search, slice)}
      from (select * from ${table} ${alias} where not ${alias}.is_deleted and ${selecting(selective)} offset 0) ${alias} ${join}
      where ${sql.join([...others, ...conditions, rowMatches(search, isExact(search, slice))], ' and ')}`,
  })
}

/**
 * The page out of all hits, or of the first `atMost` that are found: message_text or channel_name, one bitmap scan per level
 * until there are enough. At `atMost` hits it returns no page, because there may be more.
 */
export function readIndex(ctx: Ctx, search: IndexedSearch, slice: Slice, atMost: number | undefined): Promise<Found> {
  const { asked, met } = onLevels(search, slice, hitColumns(search, slice))
  const limit = atMost === undefined ? sql.empty : sql.raw(`limit ${atMost}`)
  return readPage(ctx, slice, { asked, hits: sql`select found.* from ${met} ${limit}`, atMost, answer: search.answer })
}

/** How many hits are found, up to `atMost`. */
export async function countHits(ctx: Ctx, search: IndexedSearch, slice: Slice, atMost: number): Promise<number> {
  const { asked, met } = onLevels(search, slice, sql.empty)
  const found = await queryOne<{ hits: number }>(
    ctx,
    sql`with ${asked} select count(*)::int as hits from (select from ${met} ${sql.raw(`limit ${atMost}`)}) as hit`,
  )
  return found?.hits ?? 0
}

/** As JSON, how many hits are found, up to the n-th, and the level of the n-th if there are that many. */
export function sampleOf(search: IndexedSearch, slice: Slice, nth: number): Sql {
  const { asked, met } = onLevels(search, slice, sql.empty)
  return sql`(
    with ${asked} select json_build_object('hits', count(*), 'level', (array_agg(level))[${nth}::int])
    from (select level from ${met} ${sql.raw(`limit ${nth}`)}) as hit)`
}

/** `offset 0` forces the planner to use this index, and none of a filter: its estimates for these functions are far off. */
function onLevels(search: IndexedSearch, slice: Slice, columns: Sql): { asked: Sql; met: Sql } {
  const { table, alias, join, tokens, levels, conditions, rowFilters = [] } = search
  const exact = isExact(search, slice)
  const indexed = sql`${tokens} @@ asked.tokens and not ${alias}.is_deleted`
  const isFiltered = rowFilters.length > 0
  const wanted = [
    isFiltered ? sql`true` : indexed,
    ...rowFilters.map(({ condition }) => condition),
    ...beyondIndex(search, exact),
    ...notExact(search, slice),
    ...conditions,
  ]
  return {
    asked: sql`
    asked as materialized (
      select replace(tokens, E'\n', level)::tsquery as tokens, level
      from (select ${askedOf(search, exact)} as tokens offset 0) as template, unnest(${levels}::text[]) as level)`,
    met: sql`
    asked cross join lateral (
      select ${columns} from ${isFiltered ? sql`(select * from ${table} ${alias} where ${indexed} offset 0)` : table} ${alias} ${join}
      where ${sql.join(wanted, ' and ')} offset 0) as found`,
  }
}

/** What a row's tokens must contain: the terms, neighbours of an exact query, and filters. */
export function askedOf(search: IndexedSearch, exact: boolean): Sql {
  const terms = exact === search.isExact ? search.indexTerms : [search.query]
  const asked = [
    ...(terms.length > 0 ? [sql`search_query(${terms.join(' ')}, ${exact})`] : []),
    ...(exact ? [sql`coalesce(neighbour_query(${search.query}), search_query(${search.query}, true))`] : []),
    ...search.filters.map(({ kind, values }) => sql`facet_query(${kind}, ${values})`),
  ]
  const reached = search.reach && sql` || coalesce('&' || facet_query('channel', ${search.reach.values}), '')`
  return sql`${sql.join(asked, " || '&' || ")} ${reached ?? sql.empty}`
}

interface Reading {
  /** A query (CTE) that precedes that of the hits. */
  asked?: Sql
  hits: Sql
  atMost?: number | undefined
  answer: Search['answer']
}

interface GatheredPage extends Partial<GatheredEnvelope> {
  total: number
  hits: Record<string, unknown>[] | null
}

async function readPage(ctx: Ctx, slice: Slice, { asked, hits, atMost = Infinity, answer }: Reading): Promise<Found> {
  const { where, orderBy, limit } = inOrder(slice, {
    at: sql`at`,
    tie: sql`tie`,
    rank: sql`rank`,
  })
  const found = await queryOne<GatheredPage>(
    ctx,
    sql`
    with ${asked ? sql`${asked},` : sql.empty} hit as materialized (${hits}),
    counted as materialized (select count(*)::int as total from hit),
    page as materialized (
      select page.*, row_number() over (order by ${orderBy}) as position
      from (
        select * from hit where (select total from counted) < ${atMost}::float8 and ${where} order by ${orderBy} ${limit}) page)
    ${answer ? sql`, ${answer.tables}` : sql.empty}
    select counted.total, ${jsonOfRows(sql`select id, at, tie, rank from page order by position`)} as hits
      ${answer ? sql`, ${answer.columns}` : sql.empty}
    from counted`,
  )
  return {
    total: found?.total ?? 0,
    hits: rowsOfJson<Hit>(found?.hits, ['at']),
    // All of its columns are those of `answer`.
    ...(answer && { gathered: found as GatheredEnvelope | undefined }),
  }
}

function hitColumns(search: Search, slice: Slice): Sql {
  return sql`${search.id} as id, ${search.at} as at, ${search.tie} as tie, ${rankOf(search, slice)} as rank`
}

/**
 * Walks the rows in order of time until the page is full: message_newest, message_in_channel or channel_by_activity. Sorts only
 * the hits among rows of the same time.
 */
export async function walkByTime(ctx: Ctx, search: Search, slice: Slice): Promise<Hit[]> {
  const { where, orderBy, limit } = inOrder(slice, { at: search.at, tie: search.tie })
  const first = search.filters.find(({ index }) => index === 'inOrder')
  const leading = first === undefined ? sql`true` : selecting(first)
  const filters = search.filters.map(selecting)
  const hits = await query<Hit>(
    ctx,
    sql`
    select ${hitColumns(search, slice)}
    from (
      select * from ${search.table} ${search.alias}
      where not ${search.alias}.is_deleted and ${where} and ${leading}
      order by ${search.at} ${wayOf(slice)} ${sql.raw(`fetch first ${WALKED} rows with ties`)}) ${search.alias} ${search.join}
    where ${sql.join([rowMatches(search, isExact(search, slice)), ...notExact(search, slice), ...filters, ...search.conditions], ' and ')}
    order by ${orderBy} ${limit}`,
  )
  return hits
}

function wayOf({ isDescending }: Slice): Sql {
  return isDescending ? sql`desc` : sql`asc`
}

interface OrderColumns {
  at: Sql
  tie: Sql
  rank?: Sql
}

/** The conditions and order of a slice; by rank first, if there is a rank column. */
function inOrder(slice: Slice, { at, tie, rank }: OrderColumns) {
  const { isDescending, from, skip, limit } = slice
  const clauses = pageClauses(
    { first: { column: at, isDescending, type: 'timestamptz' }, tie: { column: tie, isDescending: !isDescending } },
    { limit, skip, after: from?.key, isInclusive: from?.isInclusive },
  )
  if (rank === undefined) return clauses
  const past = isDescending ? sql`<` : sql`>`
  return {
    where: from ? sql`(${rank} ${past} ${from.rank} or ${rank} = ${from.rank} and ${clauses.where})` : sql`true`,
    orderBy: sql`${rank} ${wayOf(slice)}, ${clauses.orderBy}`,
    limit: clauses.limit,
  }
}

function isExact(search: Search, { wording }: Slice): boolean {
  return search.isExact || wording === 'exact'
}

function rankOf(search: Search, { wording }: Slice): Sql {
  if (wording !== 'any') return sql`${RANKS[wording]}::int`
  return search.byRelevance && !search.isExact ? sql`(${rowMatches(search, true)})::int` : sql`0`
}

function notExact(search: Search, { wording }: Slice): Sql[] {
  return wording === 'other' ? [sql`not (${rowMatches(search, true)})`] : []
}
