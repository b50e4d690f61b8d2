import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { toCursor } from '#server/core/paging.ts'
import { itemsInView, type ViewAcrossKinds } from '#server/modules/review/queue/across-kinds.ts'
import { atMost } from '#server/modules/review/queue/held.ts'
import type { ListOptions } from '#server/modules/review/queue/kind.ts'
import { KINDS } from '#server/modules/review/queue/kinds.ts'
import {
  afterPosition,
  byPosition,
  inPlaceOrder,
  placeOf,
  positionOf,
  withShown,
} from '#server/modules/review/queue/position.ts'
import { readFilterNames } from '#server/modules/review/queue/read-filter-names.ts'
import type { DeskQueueInput, QueuePage } from '#server/modules/review/queue/schema.ts'

/** A page of what is escalated, or of the caller's claims: of each kind the first that match, together in one order. Fails as `listDeskQueue` does. */
export async function listAcrossKinds(
  ctx: Ctx,
  input: DeskQueueInput & { view: ViewAcrossKinds },
  { isExport = false }: ListOptions,
): Promise<QueuePage> {
  const shown = positionOf(input)?.shown ?? []
  const isInView = itemsInView(ctx, input)
  const options = {
    words: input.text,
    isWhole: isExport,
    isCounted: input.view === 'mine',
    signal: input.signal,
  }
  const ofEach = await Promise.all(
    Object.values(KINDS).map((kind) => kind.read(ctx, firstOf(kind.name, isInView, shown, input), options)),
  )
  const found = ofEach.flat().sort(byPosition(input.order))
  const items = found.slice(0, input.limit)
  const last = found.length > input.limit ? items.at(-1) : undefined
  return {
    items,
    ...(last && { next: toCursor({ ...placeOf(input.order, last), ...(!isExport && withShown(shown, items)) }) }),
    narrowedTo: await readFilterNames(ctx, input, items[0]),
  }
}

/** One more of a kind than the page. Uses review_item_escalated or review_item_claimed. */
function firstOf(kind: string, isInView: Sql, shown: string[], input: DeskQueueInput): Sql {
  const others = sql`and (i.text_key is null or i.text_key <> all(${shown}::uuid[]))`
  return sql`
    select i.* from review_item i
    where i.kind = ${sql.raw(`'${kind}'`)} and ${isInView} ${afterPosition(input)} ${shown.length === 0 ? sql.empty : others}
    order by ${inPlaceOrder(input.order)} ${atMost(input.limit + 1)}`
}
