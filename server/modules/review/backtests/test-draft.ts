import { createHash } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type Judging, judgeBatch, testRules, toJudging } from '#server/modules/review/backtests/backtest.ts'
import type { TestedItem } from '#server/modules/review/backtests/read-decided.ts'
import { readSource } from '#server/modules/review/backtests/read-source.ts'
import type { DraftTestBatch, DraftTestInput } from '#server/modules/review/backtests/schema.ts'
import { findWave } from '#server/modules/review/bulk/find-wave.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { assertUsable } from '#server/modules/rules/registry/assert-usable.ts'
import { assertMayManageRules, mayDeleteMessages, mayWhereItApplies } from '#server/modules/rules/registry/scope.ts'
import { mayTest } from '#server/modules/rules/registry/view.ts'

/** Read at once, as in a backtest. */
const PIECE = 100

/**
 * Tests a rule that is being written, as `backtest` does stored ones, and says how much of what it is made from it finds. Stores nothing. Fails with
 * NOT_FOUND for a community or a source that the caller may not see, FORBIDDEN where they may not manage rules or review what it judges,
 * INVALID_PARAMETERS for conditions that can't be used, CHANGED if the draft isn't that of the batch before.
 */
export async function testDraft(ctx: Ctx, { draft, source, ...input }: DraftTestInput): Promise<DraftTestBatch> {
  await assertMayManageRules(ctx, draft)
  await assertMayTest(ctx, draft)
  await assertUsable(draft.condition)
  const ruleId = createHash('sha256').update(JSON.stringify(draft)).digest('base64url')
  const judging = await toJudging([{ ...draft, ruleId, version: 1, revision: 1 }], input)
  const isFirst = input.cursor === undefined
  const caught: string[] = []
  const { rules, ...batch } = await testRules(ctx, { ...judging, onCaught: (item) => caught.push(nameOf(item)) }, input)
  const [tested] = rules
  return {
    ...batch,
    samples: tested?.samples ?? [],
    failed: tested?.failed ?? 0,
    caught,
    ...(source && isFirst && { source: await testSource(ctx, judging, source) }),
  }
}

const nameOf = ({ subjectType, subjectId }: Subject) => `${subjectType}:${subjectId}`

async function assertMayTest(ctx: Ctx, { communityId, kinds }: DraftTestInput['draft']): Promise<void> {
  const community = sql`${communityId}::text`
  const may = await queryOne<Omit<Parameters<typeof mayTest>[0], 'kinds'>>(
    ctx,
    sql`
    select ${mayWhereItApplies(ctx, 'reviewComments', community)} as may_review_comments,
      ${mayWhereItApplies(ctx, 'reviewPosts', community)} as may_review_posts, ${mayDeleteMessages(ctx, community)} as may_delete_messages,
      false as may_mute`,
  )
  if (may === undefined || !mayTest({ ...may, kinds })) throw new DomainError('FORBIDDEN')
}

async function testSource(
  ctx: Ctx,
  judging: Judging,
  { subject, isWave }: NonNullable<DraftTestInput['source']>,
): Promise<NonNullable<DraftTestBatch['source']>> {
  const wave = isWave ? await findWave(ctx, subject) : undefined
  const { communityId, kinds, compiled } = judging
  const items = await readSource(ctx, {
    communityId,
    kinds,
    hasSignals: compiled.needed.signals.length > 0,
    subjects: wave?.members ?? [subject],
  })
  const caught: string[] = []
  const ofSource = { ...judging, samples: 0, onCaught: (item: TestedItem) => caught.push(nameOf(item)) }
  const { batch } = await judgeBatch(ctx, ofSource, inPieces(items), { limit: items.length })
  // Those that there was time for.
  return { total: batch.together.judged.pending + batch.missing, caught }
}

async function* inPieces(items: TestedItem[]): AsyncGenerator<TestedItem[]> {
  for (let at = 0; at < items.length; at += PIECE) yield items.slice(at, at + PIECE)
}
