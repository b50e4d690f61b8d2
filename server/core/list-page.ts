import type { Ctx } from '#server/core/ctx.ts'
import { type ListKey, type ListOrder, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { query, type Sql, sql } from '#server/core/db.ts'

export interface Page<Item> {
  items: Item[]
  next?: string
  previous?: string
}

interface List<Row, Item> {
  order: ListOrder
  /** Builds the statement of one page from its condition, order and limit. */
  select: (page: { where: Sql; orderBy: Sql; limit: Sql; atMost: Sql }) => Sql
  positionOf: (row: Row) => ListKey
  toItem: (row: Row) => Item
}

/** One page of a list. Fails with INVALID_REQUEST for a cursor that does not belong to it. */
export async function listPage<Row, Item>(
  ctx: Ctx,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  { order, select, positionOf, toItem }: List<Row, Item>,
): Promise<Page<Item>> {
  const page = { ...readPageRequest({ token: cursor }, limit), limit }
  const { where, ...clauses } = pageClauses(order, page)
  const found = await query<Row>(ctx, select({ where: sql`(${where})`, ...clauses }))
  const { rows, paging } = toPage(found, page, positionOf)
  return {
    items: rows.map(toItem),
    ...(paging.next !== undefined && { next: paging.next }),
    ...(paging.prev !== undefined && { previous: paging.prev }),
  }
}

/** A row's number as the tie of a list: digits that sort as the number does. */
export function numberTie(column: Sql): Sql {
  return sql`lpad(${column}::text, 19, '0')`
}
