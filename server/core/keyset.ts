import { z } from 'zod'
import { Prisma, type Sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor } from '#server/core/paging.ts'
import { text } from '#server/core/text.ts'

/** What a list is ordered by: a column that may repeat, then one that never does. */
export interface ListOrder {
  first: { column: Sql; isDescending: boolean; type: 'timestamptz' | 'text' | 'float8' | 'bigint' }
  tie: { column: Sql; isDescending: boolean }
}

/** The first column's value and the tie's, as text: a row's place in its list, whatever comes and goes around it. */
export type ListKey = [string, string]

const KEY_LENGTH = 1_000
const Key = z.tuple([text({ max: KEY_LENGTH }), text({ max: KEY_LENGTH })])
/** Our own tokens name a row; clients that make theirs themselves name a number of rows (docs/interface/conventions.md#paging). */
const Token = z.object({
  after: Key.optional(),
  before: Key.optional(),
  /** Whether the row that is named counts too. */
  isInclusive: z.boolean().optional(),
  skip: z.int().min(0).max(1_000_000_000).optional(),
  limit: z.int().min(1).max(100).optional(),
})

export interface PageRequest {
  limit: number
  after?: ListKey | undefined
  before?: ListKey | undefined
  isInclusive?: boolean | undefined
  skip?: number | undefined
}

/** Reads `options.token`. INVALID_REQUEST if it does not decode; a limit in it is the default (docs/interface/conventions.md#paging). */
export function readPageRequest(
  options: { limit?: number | undefined; token?: string | undefined },
  usualLimit: number,
): PageRequest {
  if (options.token === undefined || options.token === '') return { limit: options.limit ?? usualLimit }
  const token = fromCursor(options.token, Token)
  if (token === undefined) throw new DomainError('INVALID_REQUEST', { detail: ['options.token: not valid'] })
  return { ...token, limit: options.limit ?? token.limit ?? usualLimit }
}

/** The conditions, order and limit of one page's statement; one row more than the page, to know whether there is a next. */
export function pageClauses(order: ListOrder, page: PageRequest): { where: Sql; orderBy: Sql; limit: Sql } {
  const isReversed = page.before !== undefined
  const key = page.before ?? page.after
  return {
    where:
      key === undefined
        ? Prisma.sql`true`
        : isBeyond(order, key, { isReversed, isInclusive: page.isInclusive === true }),
    orderBy: Prisma.sql`${order.first.column} ${direction(order.first, isReversed)}, ${order.tie.column} ${direction(order.tie, isReversed)}`,
    limit: Prisma.raw(`limit ${Math.trunc(page.limit) + 1} offset ${Math.trunc(page.skip ?? 0)}`),
  }
}

function direction({ isDescending }: { isDescending: boolean }, isReversed: boolean): Sql {
  return isDescending === isReversed ? Prisma.sql`asc` : Prisma.sql`desc`
}

/** Whether PostgreSQL reads the text as a value of the type: a token may have been made by hand, or for another list. */
const IS_OF_TYPE: Record<ListOrder['first']['type'], (value: string) => boolean> = {
  timestamptz: (value) =>
    /^\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-]\d\d(:?\d\d)?)?$/.test(value) && !Number.isNaN(Date.parse(value)),
  text: () => true,
  float8: (value) => /^-?\d+(\.\d+)?(e[+-]?\d{1,2})?$/.test(value) && Number.isFinite(Number(value)),
  bigint: (value) => /^-?\d{1,18}$/.test(value),
}

interface Side {
  isReversed: boolean
  isInclusive: boolean
}

/** Past the key in the list's order. The first line lets the index begin there. */
function isBeyond({ first, tie }: ListOrder, [value, tieValue]: ListKey, { isReversed, isInclusive }: Side): Sql {
  if (!IS_OF_TYPE[first.type](value))
    throw new DomainError('INVALID_REQUEST', { detail: ['options.token: belongs to another list'] })
  const bound = Prisma.sql`${value}::${Prisma.raw(first.type)}`
  const past = (column: { isDescending: boolean }) => (column.isDescending === isReversed ? '>' : '<')
  const [firstPast, tiePast] = [Prisma.raw(past(first)), Prisma.raw(`${past(tie)}${isInclusive ? '=' : ''}`)]
  return Prisma.sql`(${first.column} ${firstPast}= ${bound}
    and (${first.column} ${firstPast} ${bound} or ${tie.column} ${tiePast} ${tieValue}))`
}

/** `next` and `prev`, the latter under `previous` too; absent at the ends (docs/interface/conventions.md#paging). */
export interface Paging {
  next?: string
  prev?: string
  previous?: string
}

/**
 * Cuts the row beyond the page off, puts a page read backwards in order, and makes the tokens around it. Where all that was beyond
 * the key has gone meanwhile, the empty page leads back to the row of the key.
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
  const toToken = (place: Omit<PageRequest, 'limit'>) =>
    Buffer.from(JSON.stringify({ ...place, limit: page.limit })).toString('base64')
  const token = (way: 'after' | 'before', row: Row | undefined) => {
    if (row !== undefined) return toToken({ [way]: keyOf(row) })
    const key = page.before ?? page.after
    return key && toToken({ [way]: key, isInclusive: true })
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
