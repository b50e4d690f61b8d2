import type { Ctx } from '#server/core/ctx.ts'
import { comparedText } from '#server/core/similarity/shingles.ts'
import { conditionForWave } from '#server/modules/review/bulk/condition-for-wave.ts'
import { findWave } from '#server/modules/review/bulk/find-wave.ts'
import type { WaveRule } from '#server/modules/review/bulk/schema.ts'
import { sharedWords } from '#server/modules/review/bulk/wave-of.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

/** What a rule against the wave of an item starts with; null if there is no wave. NOT_FOUND for an item that the caller doesn't review. */
export async function proposeRule(ctx: Ctx, subject: Subject): Promise<WaveRule | null> {
  const wave = await findWave(ctx, subject)
  if (wave === undefined) return null
  const texts = wave.members.map(comparedText)
  const open = wave.members.find(({ subjectId }) => subjectId === subject.subjectId)
  const condition = await conditionForWave(texts)
  return {
    ...(condition && { condition }),
    words: open === undefined ? [] : await sharedWords(comparedText(open), texts),
    communityIds: wave.communityIds,
  }
}
