import { type Sql, sql } from '#server/core/db.ts'
import { isOneToken, isShortPair, plainTerms } from '#server/modules/search/row-conditions.ts'
import type { Reach, Search } from '#server/modules/search/search.ts'

/**
 * A term this many times as common as the rarest one is checked in the rows instead: a prefix of many tokens, a term of one
 * token, and a word of a phrase, which its neighbours also select.
 */
const TOO_COMMON = { ofMany: 8, ofOne: 50, ofPhrase: 35 }
const SAMPLED_AT_MOST = 5_000
/** The most terms that are sampled, and the most values of a filter: each is a look-up on every level. */
const FEW_TERMS = 10
const FEW_VALUES = 20

/** All terms that the index can look up; none for a phrase that is one token. */
export function termsOf(search: Search): string[] {
  const terms = plainTerms(search, search.isExact) ?? [search.query]
  return search.isExact && isShortPair(terms) ? [] : terms
}

/**
 * How many sampled rows the terms and then the filters have, as SQL expressions for `chooseIndexTerms`; none where there is nothing to
 * choose. A filter with too many values counts null.
 */
export function sampledCounts(search: Search, terms: string[]): Sql[] {
  const { filters, reach } = search
  const facets = filters
    .filter(({ values }) => values.length <= FEW_VALUES)
    .map(({ kind, values }) => sampled(search, sql`facet_query(${kind}, ${values})`))
  const isAlone = terms.length + filters.length + (reach ? 1 : 0) < 2
  if (isAlone || terms.length === 0 || terms.length > FEW_TERMS) return []
  if (search.sampledLevels === undefined || plainTerms(search, search.isExact) === undefined) return []
  return [
    ...terms.map((term) => sampled(search, sql`search_query(${term}, ${search.isExact})`)),
    ...facets,
    ...(reach ? [sampledReach(search, reach)] : []),
    ...(search.isExact && terms.length > 1 ? [sampled(search, sql`neighbour_query(${search.query})`)] : []),
  ]
}

function sampledReach(search: Search, { values }: Reach): Sql {
  return sql`case when cardinality(${values}) <= ${FEW_VALUES} then ${sampled(search, sql`facet_query('channel', ${values})`)} end`
}

/**
 * The terms to look up in the index; the others are checked in the rows it finds. For a prefix that is not a token itself the
 * index reads all words with that prefix, and a very common word has a long posting list: beside a rare term, both take longer
 * than checking the few rows.
 */
export function chooseIndexTerms(search: Search, terms: string[], counts: (number | null)[]): string[] {
  const rarest = Math.max(Math.min(...counts.filter((count) => count !== null)), 1)
  return terms.filter((term, position) => (counts[position] ?? 0) <= limitOf(search, term) * rarest)
}

function limitOf({ isExact }: Search, term: string): number {
  if (isExact) return TOO_COMMON.ofPhrase
  return isOneToken(term) ? TOO_COMMON.ofOne : TOO_COMMON.ofMany
}

function sampled({ sampledLevels = [], ...search }: Search, asked: Sql): Sql {
  return countOnLevels(search, { asked, levels: sampledLevels, atMost: SAMPLED_AT_MOST })
}

/** How many rows have these tokens on these levels, up to a number, as an SQL expression. Uses message_text; level by level, as `readIndex` does. */
export function countOnLevels(
  { table, alias, tokens }: Pick<Search, 'table' | 'alias' | 'tokens'>,
  { asked, levels, atMost }: { asked: Sql; levels: string[]; atMost: number },
): Sql {
  return sql`(
    select count(*)::int from (
      select from (select ${asked} as asked offset 0) as template, unnest(${levels}::text[]) as level
      cross join lateral (
        select from ${table} ${alias}
        where ${tokens} @@ replace(asked, E'\n', level)::tsquery and not ${alias}.is_deleted offset 0) ${alias}
      ${sql.raw(`limit ${atMost}`)}) as sample)`
}
