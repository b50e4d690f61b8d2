import { Prisma, type Sql } from '#server/core/db.ts'
import type { Asking, Search } from '#server/modules/search/read-hits.ts'

/** Words of ASCII letters and digits: as they are typed, so they stand in a row's words, behind a space. */
const PLAIN_WORD = /^[a-z0-9]+$/i
/** Chinese characters: nothing is put between them. */
const IDEOGRAPHS = /^[\u4E00-\u9FFF]+$/
/** Words are cut to this in the index. */
const LONGEST_TOKEN = 64
/** Two neighbours of up to so many characters are a token as they stand. */
const LONGEST_OF_PAIR = 3
/** Beginnings of so many characters are tokens of their own. */
const BEGINNINGS = [2, 3]

/** The terms of a query that is made of nothing but plain words and Chinese characters. */
export function plainTerms({ query }: Search, isExact: boolean): string[] | undefined {
  const terms = query.split(' ').filter((term) => term !== '')
  const isPlain = isExact
    ? terms.every((term) => PLAIN_WORD.test(term)) || (terms.length === 1 && IDEOGRAPHS.test(terms.join('')))
    : terms.every((term) => PLAIN_WORD.test(term) || IDEOGRAPHS.test(term))
  if (!isPlain || terms.length === 0) return undefined
  const plain = terms.map((term) => term.toLowerCase())
  return isExact ? plain : [...new Set(plain)]
}

/** Whether a row has what is asked for. Of plain terms its words tell; of others its text, by patterns that are made once. */
export function rowMatches(search: Search, isExact: boolean): Sql {
  const terms = plainTerms(search, isExact)
  if (terms === undefined)
    return Prisma.sql`search_text(${search.text}) ~ all ((select search_patterns(${search.query}, ${isExact}))::text[])`
  return rowHas(search, terms, isExact)
}

/** What the index cannot tell of rows it was asked for: terms that were left to the rows, and more than two neighbours. */
export function beyondIndex(search: Asking, isExact: boolean): Sql[] {
  const terms = plainTerms(search, isExact)
  if (terms === undefined) return [rowMatches(search, isExact)]
  if (isExact) return isToldExactly(terms) ? [] : [rowHas(search, terms, isExact)]
  const untold = terms.filter((term) => !search.asked.includes(term) || !isTold(term))
  return untold.length > 0 ? [rowHas(search, untold, isExact)] : []
}

/** Whether the index need not leaf through many tokens to find all that begins with a plain term. */
export function isOneToken(term: string): boolean {
  return !PLAIN_WORD.test(term) || BEGINNINGS.includes(term.length)
}

function isTold(term: string): boolean {
  return PLAIN_WORD.test(term) ? term.length <= LONGEST_TOKEN : term.length <= 2
}

function isToldExactly(terms: string[]): boolean {
  const [term = '', ...others] = terms
  if (others.length > 0) return isShortPair(terms)
  return PLAIN_WORD.test(term) ? term.length < LONGEST_TOKEN : term.length <= 2
}

/** Two plain words of a phrase that are one token as they stand. */
export function isShortPair(terms: string[]): boolean {
  return terms.length === 2 && terms.every((term) => PLAIN_WORD.test(term) && term.length <= LONGEST_OF_PAIR)
}

function rowHas({ words }: Search, terms: string[], isExact: boolean): Sql {
  const pieces = isExact
    ? [PLAIN_WORD.test(terms[0] ?? '') ? ` ${terms.join(' ')} ` : terms.join('')]
    : terms.map((term) => (PLAIN_WORD.test(term) ? ` ${term}` : term))
  return Prisma.join(
    pieces.map((piece) => Prisma.sql`strpos(${words}, ${piece}) > 0`),
    ' and ',
  )
}
