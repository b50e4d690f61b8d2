import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor, toCursor } from '#server/core/paging.ts'
import { toJudged } from '#server/modules/content/signals/judged-content.ts'
import { countDecided, type DecidedItem, readDecided } from '#server/modules/review/backtests/read-decided.ts'
import type { BacktestBatch, BacktestInput, BacktestSample } from '#server/modules/review/backtests/schema.ts'
import { compileRules } from '#server/modules/rules/conditions/compile.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'
import { type FiredRule, judge } from '#server/modules/rules/conditions/judge.ts'
import { itemOf } from '#server/modules/rules/judging/judge-content.ts'
import { readFacts } from '#server/modules/rules/judging/read-facts.ts'
import { requireRule } from '#server/modules/rules/registry/read-rule.ts'
import { reviewsKinds } from '#server/modules/rules/registry/view.ts'

/** Of each outcome, in one batch. */
const SAMPLES = 5
/** Other requests get a turn after so many items. */
const ITEMS_A_TURN = 25

const Cursor = z.object({ revision: z.int(), decidedAt: z.iso.datetime(), decisionId: z.string().regex(/^\d{1,18}$/) })

/**
 * What the current version of a rule would have caught among items that people decided on: one batch, newest decisions first; the caller goes
 * on with `next`, or stops. Changes nothing. Fails with NOT_FOUND for a rule the caller may not manage, FORBIDDEN where they may not review
 * what it judges, INVALID_PARAMETERS for a rule of the network without a community and for a community that isn't the rule's, CHANGED if
 * somebody changed the rule since the batch before.
 */
export async function backtest(ctx: Ctx, input: BacktestInput): Promise<BacktestBatch> {
  const rule = await requireRule(ctx, input.ruleId)
  if (!reviewsKinds(rule)) throw new DomainError('FORBIDDEN')
  const { version, revision, kinds, condition } = rule
  const communityId = communityOf(rule.communityId, input.communityId)
  const after = readCursor(input.cursor, revision)

  const compiled = await compileRules([{ ruleId: rule.ruleId, version, condition }])
  const hasSignals = compiled.needed.signals.length > 0
  const decided = await readDecided(ctx, { communityId, kinds, hasSignals, after, limit: input.limit })
  const items = decided.filter(isThere)
  const writings = items.map(({ authorId, createdAt }) => ({ authorId, at: createdAt }))
  const facts = await readFacts(ctx, communityId, writings, compiled.needed)

  const batch: BacktestBatch = {
    version,
    judged: { rejected: 0, approved: 0 },
    missing: decided.length - items.length,
    caught: { rejected: 0, approved: 0 },
    samples: [],
    failed: 0,
    costMs: 0,
  }
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_A_TURN === 0) await setImmediate()
    const startedAt = performance.now()
    const { fired, failed } = judge(compiled, { ...toItem(item), ...facts[index] })
    batch.costMs += performance.now() - startedAt
    batch.judged[item.outcome] += 1
    batch.failed += failed.length
    if (fired[0] !== undefined) addCaught(batch, item, fired[0])
  }
  const last = decided.length === input.limit ? decided.at(-1) : undefined
  return {
    ...batch,
    ...(after === undefined && { total: await countDecided(ctx, communityId, kinds) }),
    ...(last && {
      next: toCursor({ revision, decidedAt: last.decidedAt.toISOString(), decisionId: last.decisionId }),
    }),
  }
}

function isThere(item: DecidedItem): item is DecidedItem & { authorId: string } {
  return item.authorId !== null
}

function communityOf(own: string | null, asked: string | undefined): string {
  const communityId = own ?? asked
  if (communityId === undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['communityId: is required for a rule of the network'] })
  if (asked !== undefined && asked !== communityId)
    throw new DomainError('INVALID_PARAMETERS', { detail: ["communityId: must be the rule's"] })
  return communityId
}

function readCursor(cursor: string | undefined, revision: number): z.output<typeof Cursor> | undefined {
  if (cursor === undefined) return undefined
  const after = fromCursor(cursor, Cursor)
  if (after === undefined) throw new DomainError('INVALID_REQUEST', { detail: ['cursor: not valid'] })
  if (after.revision !== revision) throw new DomainError('CHANGED')
  return after
}

function toItem(item: DecidedItem) {
  return { ...itemOf(toJudged(item)), signals: item.signals ?? {} }
}

function addCaught({ caught, samples }: BacktestBatch, item: DecidedItem, { found }: FiredRule): void {
  caught[item.outcome] += 1
  if (samples.filter(({ outcome }) => outcome === item.outcome).length < SAMPLES) samples.push(toSample(item, found))
}

function toSample({ subjectType, subjectId, outcome, decidedAt, data }: DecidedItem, found: Found[]): BacktestSample {
  const { title, text } = data ?? {}
  return {
    subjectType,
    subjectId,
    outcome,
    decidedAt: decidedAt.toISOString(),
    ...(typeof title === 'string' && title !== '' && { title }),
    text: typeof text === 'string' ? text : '',
    found,
  }
}
