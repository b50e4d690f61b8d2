import type { ListKey } from '#server/core/database/keyset.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { GatheredEnvelope } from '#server/modules/search/search-envelope.ts'

/** Where to search, for what, and in which order. */
export interface Search {
  /** A table with its alias, and the condition that decides whether the caller may see a row. */
  table: Sql
  alias: Sql
  join: Sql
  /** Columns of a row. The order is by `at`, newest first, then by `tie`. */
  id: Sql
  text: Sql
  /** The text as `search_words` produces it. */
  words: Sql
  at: Sql
  tie: Sql
  /** The indexed expression, and the levels of its tokens: each has as many rows as all before it. */
  tokens: Sql
  levels: string[]
  /** The first levels, with few rows: they show which terms are common. */
  sampledLevels?: string[]
  /** Conditions that are not looked up in the index: the scope, and what most rows have. */
  conditions: Sql[]
  filters: Filter[]
  reach?: Reach | undefined
  /** What to read with a page in the same statement, from its table `page` of `id` and `position`: common table expressions and columns. */
  answer?: { tables: Sql; columns: Sql } | undefined

  query: string
  /** Matches the exact query, not inside longer words; otherwise words that begin with its terms match too. */
  isExact: boolean
  /** Exact matches of the query before all others, both newest first. */
  byRelevance: boolean
  isDescending: boolean
}

/** A search, and what of it is looked up in the index: these terms of its query, and its filters. */
export interface IndexedSearch extends Search {
  indexTerms: string[]
  /** Further filters, which are checked in the rows that the index finds. */
  rowFilters?: Filter[]
}

/** One filter in two forms: a facet among the index tokens, and a condition on a row's own columns. */
export interface Filter {
  kind: 'channel' | 'feed' | 'user' | 'type' | 'tag'
  values: string[]
  condition: Sql
  /** Whether the condition's own index returns the rows in order of time; absent if it has none. */
  index?: 'inOrder' | 'unordered'
}

/** The condition, for a statement that may use the filter's own index: it is planned for these values. */
export function selecting({ condition, index }: Filter): Sql {
  return index === undefined ? condition : sql`${condition} ${NO_PREPARE}`
}

/** A filter whose values only the database knows. */
export interface Reach {
  /** An expression of type `text[]`; null if there are too many to filter by. */
  values: Sql
  toFilter: (values: string[]) => Filter
}

export interface Hit {
  id: string
  at: Date
  tie: string
  /** By relevance, 1 for an exact match of the query; else 0. */
  rank: number
}

/** By relevance a list has two parts, each in order of time: exact matches of the query, and all others. */
export type Wording = 'any' | 'exact' | 'other'
export const RANKS = { exact: 1, other: 0 } as const

/** A part of the list, in reading direction. */
export interface Slice {
  wording: Wording
  /** Most relevant and newest first. */
  isDescending: boolean
  from: { rank: number; key: ListKey; isInclusive: boolean } | undefined
  skip: number
  limit: number
}

/** A page, and the number of hits it was taken from. */
export interface Found {
  total: number
  hits: Hit[]
  /** What `answer` asked for, for these hits, if they were read in one statement. */
  gathered?: GatheredEnvelope | undefined
}
