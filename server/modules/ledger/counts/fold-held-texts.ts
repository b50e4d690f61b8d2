import type { Ctx } from '#server/core/ctx.ts'
import { execute } from '#server/core/db.ts'
import { FOLD_HELD_TEXTS } from '#server/modules/ledger/counts/held-texts.ts'

/** Folds what changed of how many items are held with the same text. Triggers of `comment` and `post` insert the deltas. */
export async function foldHeldTexts(ctx: Ctx): Promise<void> {
  await execute(ctx, FOLD_HELD_TEXTS)
}
