import { z } from 'zod'
import { CalendarDate } from '#server/core/calendar.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor } from '#server/core/paging.ts'
import { text } from '#server/core/text.ts'

/** The sort columns of a list: one that may repeat, then a unique one. */
export interface ListOrder {
  first: { column: Sql; isDescending: boolean; type: 'timestamptz' | 'text' | 'float8' | 'bigint' }
  tie: { column: Sql; isDescending: boolean }
}

/** The values of the first column and of the tie, as text: a row's position in its list, unaffected by other rows. */
export type ListKey = [string, string]

const KEY_LENGTH = 1_000
const Key = z.tuple([text({ max: KEY_LENGTH }), text({ max: KEY_LENGTH })])
const RowCount = z.int().min(0).max(1_000_000_000)
const Limit = z.int().min(1).max(100).optional()
/**
 * Our own tokens name a row, and beside it the number of rows before their page: the oldest client reads only that, and makes its own
 * token from it, for comments and messages as `after` and `first` (docs/interface/conventions.md#paging).
 */
const Token = z.object({
  after: z.union([Key, RowCount]).optional(),
  before: Key.optional(),
  /** Whether the named row is included. */
  isInclusive: z.boolean().optional(),
  skip: RowCount.optional(),
  limit: Limit,
  first: Limit,
  last: Limit,
})

export interface PageRequest {
  limit: number
  after?: ListKey | undefined
  before?: ListKey | undefined
  isInclusive?: boolean | undefined
  /** How many rows to skip, if the request names no row. */
  skip?: number | undefined
  /** How many rows were before the page when its token was made. */
  position?: number | undefined
}

/** Reads `options.token`. INVALID_REQUEST if it does not decode; a limit in it is the default (docs/interface/conventions.md#paging). */
export function readPageRequest(
  options: { limit?: number | undefined; token?: string | undefined },
  usualLimit: number,
): PageRequest {
  if (options.token === undefined || options.token === '') return { limit: options.limit ?? usualLimit, position: 0 }
  const token = fromCursor(options.token, Token)
  if (token === undefined) throw new DomainError('INVALID_REQUEST', { detail: ['options.token: not valid'] })
  const limit = options.limit ?? token.limit ?? token.first ?? token.last ?? usualLimit
  const { before, isInclusive } = token
  const [after, rows] = typeof token.after === 'number' ? [undefined, token.after] : [token.after, token.skip]
  if (after !== undefined || before !== undefined) return { after, before, isInclusive, limit, position: rows }
  return { skip: rows, limit, position: rows ?? 0 }
}

/**
 * The conditions, order and limit of one page's statement, with one extra row to know whether there is a next page. `atMost` limits each of several
 * parts that are then put together.
 */
export function pageClauses(
  order: ListOrder,
  page: PageRequest,
): { where: Sql; orderBy: Sql; limit: Sql; atMost: Sql } {
  const isReversed = page.before !== undefined
  const key = page.before ?? page.after
  return {
    where: key === undefined ? sql`true` : isBeyond(order, key, { isReversed, isInclusive: page.isInclusive === true }),
    orderBy: sql`${order.first.column} ${direction(order.first, isReversed)}, ${order.tie.column} ${direction(order.tie, isReversed)}`,
    limit: sql.raw(`limit ${Math.trunc(page.limit) + 1} offset ${Math.trunc(page.skip ?? 0)}`),
    atMost: sql.raw(`limit ${Math.trunc(page.limit) + 1 + Math.trunc(page.skip ?? 0)}`),
  }
}

function direction({ isDescending }: { isDescending: boolean }, isReversed: boolean): Sql {
  return isDescending === isReversed ? sql`asc` : sql`desc`
}

/** Whether PostgreSQL can read the text as a value of the type: a token may be made by hand, or for another list. */
const IS_OF_TYPE: Record<ListOrder['first']['type'], (value: string) => boolean> = {
  // JavaScript alone also takes days such as February 30th, the year 0, and longer offsets.
  timestamptz: (value) =>
    /^\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-](0\d|1[0-5])(:?[0-5]\d)?)?$/.test(value) &&
    !value.startsWith('0000') &&
    CalendarDate.safeParse(value.slice(0, 10)).success &&
    !Number.isNaN(Date.parse(value)),
  text: () => true,
  float8: (value) => /^-?\d+(\.\d+)?(e[+-]?\d{1,2})?$/.test(value) && Number.isFinite(Number(value)),
  bigint: (value) => /^-?\d{1,18}$/.test(value),
}

interface Side {
  isReversed: boolean
  isInclusive: boolean
}

/** Past the key in the list's order. The first line lets the index scan start at the key. */
function isBeyond({ first, tie }: ListOrder, [value, tieValue]: ListKey, { isReversed, isInclusive }: Side): Sql {
  if (!IS_OF_TYPE[first.type](value))
    throw new DomainError('INVALID_REQUEST', { detail: ['options.token: belongs to another list'] })
  const bound = sql`${value}::${sql.raw(first.type)}`
  const past = (column: { isDescending: boolean }) => (column.isDescending === isReversed ? '>' : '<')
  const [firstPast, tiePast] = [sql.raw(past(first)), sql.raw(`${past(tie)}${isInclusive ? '=' : ''}`)]
  return sql`(${first.column} ${firstPast}= ${bound}
    and (${first.column} ${firstPast} ${bound} or ${tie.column} ${tiePast} ${tieValue}))`
}

/** `next` and `prev`, the latter also as `previous`; absent at the ends (docs/interface/conventions.md#paging). */
export interface Paging {
  next?: string
  prev?: string
  previous?: string
}

/**
 * Removes the extra row, puts a page read backwards in order, and builds the tokens around it. If all rows beyond the key have been
 * removed, the empty page leads back to the row of the key.
 */
export function toPage<Row>(
  found: Row[],
  page: PageRequest,
  keyOf: (row: Row) => ListKey,
): { rows: Row[]; paging: Paging } {
  const hasMore = found.length > page.limit
  const cut = found.slice(0, page.limit)
  const isReversed = page.before !== undefined
  const rows = isReversed ? cut.toReversed() : cut

  const [first, last] = [rows[0], rows.at(-1)]
  const hasPrevious = isReversed ? hasMore : page.after !== undefined || (page.skip ?? 0) > 0
  const hasNext = isReversed || hasMore
  const start = isReversed && !hasMore ? 0 : page.position
  const skips = start !== undefined && { after: start + rows.length, before: Math.max(start - page.limit, 0) }
  const toToken = (place: Omit<PageRequest, 'limit'>) =>
    Buffer.from(JSON.stringify({ ...place, limit: page.limit })).toString('base64')
  const token = (way: 'after' | 'before', row: Row | undefined) => {
    const skip = skips ? skips[way] : undefined
    if (row !== undefined) return toToken({ [way]: keyOf(row), skip })
    const key = page.before ?? page.after
    return key && toToken({ [way]: key, isInclusive: true, skip })
  }
  const next = hasNext ? token('after', last) : undefined
  const prev = hasPrevious ? token('before', first) : undefined
  return {
    rows,
    paging: {
      ...(next !== undefined && { next }),
      ...(prev !== undefined && { prev, previous: prev }),
    },
  }
}
