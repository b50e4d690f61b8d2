import { type Sql, sql } from '#server/core/db.ts'
import type { IndexedSearch, Search } from '#server/modules/search/search.ts'

/** Words of ASCII letters and digits: they appear unchanged among a row's words, after a space. */
const PLAIN_WORD = /^[a-z0-9]+$/i
/** Chinese characters: they have no separators between them. */
const IDEOGRAPHS = /^[\u4E00-\u9FFF]+$/
/** The index truncates words to this length. */
const LONGEST_TOKEN = 64
/** Two neighbouring words of up to this many characters are also indexed as one token. */
const LONGEST_OF_PAIR = 3
/** Prefixes of this many characters are tokens of their own. */
const BEGINNINGS = [2, 3]

/** The terms of a query that consists only of plain words and Chinese characters. */
export function plainTerms({ query }: Search, isExact: boolean): string[] | undefined {
  const terms = query.split(' ').filter((term) => term !== '')
  const isPlain = isExact
    ? terms.every((term) => PLAIN_WORD.test(term)) || (terms.length === 1 && IDEOGRAPHS.test(terms.join('')))
    : terms.every((term) => PLAIN_WORD.test(term) || IDEOGRAPHS.test(term))
  if (!isPlain || terms.length === 0) return undefined
  const plain = terms.map((term) => term.toLowerCase())
  return isExact ? plain : [...new Set(plain)]
}

/**
 * Whether a row matches the query. Plain terms are checked against its words, others against its text, with patterns that are
 * compiled once.
 */
export function rowMatches(search: Search, isExact: boolean): Sql {
  const terms = plainTerms(search, isExact)
  if (terms === undefined)
    return sql`folded_text(${search.text}) ~ all ((select search_patterns(${search.query}, ${isExact}))::text[])`
  return rowHas(search, terms, isExact)
}

/** What the index can't check for the rows it finds: terms left to the rows, and more than two neighbours. */
export function beyondIndex(search: IndexedSearch, isExact: boolean): Sql[] {
  const terms = plainTerms(search, isExact)
  if (terms === undefined) return [rowMatches(search, isExact)]
  if (isExact) return isAnsweredExactly(terms) ? [] : [rowHas(search, terms, isExact)]
  const unanswered = terms.filter((term) => !search.indexTerms.includes(term) || !isAnswered(term))
  return unanswered.length > 0 ? [rowHas(search, unanswered, isExact)] : []
}

/** Whether the index can find all words with a plain term's prefix without reading many tokens. */
export function isOneToken(term: string): boolean {
  return !PLAIN_WORD.test(term) || BEGINNINGS.includes(term.length)
}

function isAnswered(term: string): boolean {
  return PLAIN_WORD.test(term) ? term.length <= LONGEST_TOKEN : term.length <= 2
}

function isAnsweredExactly(terms: string[]): boolean {
  const [term = '', ...others] = terms
  if (others.length > 0) return isShortPair(terms)
  return PLAIN_WORD.test(term) ? term.length < LONGEST_TOKEN : term.length <= 2
}

/** Two plain words of a phrase that are indexed as one token. */
export function isShortPair(terms: string[]): boolean {
  return terms.length === 2 && terms.every((term) => PLAIN_WORD.test(term) && term.length <= LONGEST_OF_PAIR)
}

function rowHas({ words }: Search, terms: string[], isExact: boolean): Sql {
  const pieces = isExact
    ? [PLAIN_WORD.test(terms[0] ?? '') ? ` ${terms.join(' ')} ` : terms.join('')]
    : terms.map((term) => (PLAIN_WORD.test(term) ? ` ${term}` : term))
  return sql.join(
    pieces.map((piece) => sql`strpos(${words}, ${piece}) > 0`),
    ' and ',
  )
}
