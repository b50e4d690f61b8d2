import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { queryOne } from '#server/core/db.ts'
import { foldHeldTextsOf } from '#server/modules/ledger/counts/held-texts.ts'

/**
 * Folds what changed of how many items are held with the same text, one batch of texts; returns how many. Triggers of `comment` and `post`
 * insert the deltas.
 */
export async function foldHeldTexts(ctx: Ctx): Promise<number> {
  const batch = await queryOne<{ folded: number }>(ctx, foldHeldTextsOf(BATCH_SIZE))
  return batch?.folded ?? 0
}
