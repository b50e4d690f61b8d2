import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { earlierTexts } from '#server/modules/review/items/count-earlier.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import type { EarlierText, ItemInput } from '#server/modules/review/items/schema.ts'

/**
 * What an item said before its author changed it, latest first, for those who may read the item: NOT_FOUND for others, and for a message in a conversation
 * that the caller hasn't opened.
 */
export async function readEarlier(ctx: Ctx, input: ItemInput): Promise<EarlierText[]> {
  const { item } = await readItem(ctx, input)
  if (item.isClosed) throw new DomainError('NOT_FOUND')
  const rows = await query<{ title: string | null; text: string | null; replacedAt: Date }>(
    ctx,
    sql`
    ${earlierTexts(item)} order by replaced_at desc, title, text`,
  )
  return rows.map(({ title, text, replacedAt }) => ({
    ...(title !== null && { title }),
    text: text ?? '',
    until: timestampOf(replacedAt),
  }))
}
