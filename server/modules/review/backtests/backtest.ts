import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor, toCursor } from '#server/core/paging.ts'
import { standAside } from '#server/core/stand-aside.ts'
import { ResourceId } from '#server/core/text.ts'
import { toJudged } from '#server/modules/content/signals/judged-content.ts'
import {
  type After,
  countDecided,
  readDecided,
  type TestedItem,
} from '#server/modules/review/backtests/read-decided.ts'
import { countPending, readPending } from '#server/modules/review/backtests/read-pending.ts'
import { addSample, type BacktestSample } from '#server/modules/review/backtests/samples/schema.ts'
import type { BacktestBatch, BacktestInput, Tested, TestedRule } from '#server/modules/review/backtests/schema.ts'
import { type CompiledRules, compileRules } from '#server/modules/rules/conditions/compile.ts'
import type { Facts } from '#server/modules/rules/conditions/facts.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'
import { judge } from '#server/modules/rules/conditions/judge.ts'
import { foundTextOf } from '#server/modules/rules/judging/found-text.ts'
import { itemOf } from '#server/modules/rules/judging/judge-content.ts'
import { readFacts } from '#server/modules/rules/judging/read-facts.ts'
import { type RequiredRule, requireRules } from '#server/modules/rules/registry/read-rule.ts'
import { ReviewedKind } from '#server/modules/rules/registry/schema.ts'
import { mayTest } from '#server/modules/rules/registry/view.ts'

/** Other requests go first after so long, which is about one item. */
const TURN_MS = 0.05
/** So many items are read at once: the process reads their rows in one turn. */
const PIECE = 100
/** A batch ends after so long, however many items it has: the caller sees progress, and rules may be slow. */
const BATCH_MS = 2_000

/** What is tested, in this order: pending comments, pending posts, and what was decided. */
const PARTS = [...ReviewedKind.options, 'decided'] as const
type Part = (typeof PARTS)[number]

const Cursor = z.union([
  z.object({ rules: z.string(), part: ReviewedKind, at: z.iso.datetime(), key: ResourceId }),
  z.object({
    rules: z.string(),
    part: z.literal('decided'),
    at: z.iso.datetime(),
    key: z.string().regex(/^\d{1,18}$/),
  }),
])

/**
 * What the current versions of rules would catch among pending items, and would have caught among those that people decided on: one batch; the
 * caller goes on with `next`, or stops. Each item is read once for all rules. Changes nothing. Fails with NOT_FOUND if the caller may not manage one of the
 * rules, FORBIDDEN where they may not review what one judges, INVALID_PARAMETERS for rules of the network without a community and for rules
 * and communities that don't belong together, CHANGED if somebody changed one of the rules since the batch before.
 */
export async function backtest(ctx: Ctx, input: BacktestInput): Promise<BacktestBatch> {
  const rules = await requireRules(ctx, input.ruleIds)
  if (!rules.every(mayTest)) throw new DomainError('FORBIDDEN')
  return testRules(ctx, await toJudging(rules, input), input)
}

/** What is tested: stored rules, or what somebody is writing. */
export type RuleToTest = Pick<RequiredRule, 'ruleId' | 'version' | 'revision' | 'communityId' | 'kinds' | 'condition'>

export async function toJudging(
  rules: RuleToTest[],
  { communityId, samples }: Pick<BacktestInput, 'communityId' | 'samples'>,
): Promise<Judging> {
  return {
    rules,
    compiled: await compileRules(rules),
    communityId: communityOf(rules, communityId),
    kinds: ReviewedKind.options.filter((kind) => rules.some((rule) => rule.kinds.includes(kind))),
    samples,
  }
}

/** One batch. */
export async function testRules(
  ctx: Ctx,
  judging: Judging,
  input: Pick<BacktestInput, 'cursor' | 'limit'>,
): Promise<BacktestBatch> {
  const { communityId, kinds } = judging
  const name = nameOf(judging.rules)
  const after = readCursor(input.cursor, name)
  const { batch, next } = await judgeBatch(ctx, judging, readPieces(ctx, judging, { after, limit: input.limit }), {
    after,
    limit: input.limit,
  })
  return {
    ...batch,
    ...(after === undefined && { total: await countAll(ctx, communityId, kinds) }),
    ...(next && { next: toCursor({ rules: name, ...next }) }),
  }
}

async function countAll(ctx: Ctx, communityId: string, kinds: ReviewedKind[]): Promise<number> {
  return (await countPending(ctx, communityId, kinds)) + (await countDecided(ctx, communityId, kinds))
}

/** Where a batch begins: after this item of this part. */
type Point = After & { part: Part }

export interface Judging {
  rules: RuleToTest[]
  compiled: CompiledRules
  communityId: string
  kinds: ReviewedKind[]
  samples: number
  /** Is called for each item that is caught. */
  onCaught?: (item: TestedItem) => void
}

/** The items in their order, up to the last one that there was time for; `next` is undefined at the end. */
export async function judgeBatch(
  ctx: Ctx,
  judging: Judging,
  pieces: AsyncIterable<TestedItem[]>,
  { after, limit }: { after?: Point | undefined; limit: number },
): Promise<{ batch: BacktestBatch; next: Point | undefined }> {
  const { rules, compiled } = judging
  const of = (kind: ReviewedKind) => ({
    ...compiled,
    rules: compiled.rules.filter((_, at) => rules[at]?.kinds.includes(kind)),
  })
  const compiledFor: Record<ReviewedKind, CompiledRules> = { comment: of('comment'), post: of('post') }
  const tested = rules.map(({ ruleId, version }) => ({ ruleId, version, ...untested(), failed: 0, samples: [] }))
  const batch: BacktestBatch = { rules: tested, together: untested(), missing: 0 }
  const tally = tallyOf(batch, judging)

  let [next, count] = [after, 0]
  let turnAt = performance.now()
  const until = turnAt + BATCH_MS
  for await (const { item, facts } of readFactsOf(ctx, judging, pieces)) {
    const now = performance.now()
    if (now > until && count > 0) return { batch, next }
    if (now - turnAt > TURN_MS) {
      await standAside(ctx.pool)
      turnAt = performance.now()
    }
    if (facts) tally(item, compiledFor[item.subjectType], facts)
    else batch.missing += 1
    next = pointOf(item)
    count += 1
  }
  return { batch, next: count < limit ? undefined : next }
}

/** Items in their order, each with what the rules need to know of it, or without if its content is gone. */
async function* readFactsOf(
  ctx: Ctx,
  { compiled, communityId }: Judging,
  pieces: AsyncIterable<TestedItem[]>,
): AsyncGenerator<{ item: TestedItem; facts: Facts | undefined }> {
  for await (const items of pieces) {
    const writings = items.filter(isThere).map(toWriting)
    const facts = await readFacts(ctx, { communityId }, writings, compiled.needed)
    const known = writings.map(({ item }, index) => ({ ...item, ...facts[index] })).values()
    for (const item of items) yield { item, facts: isThere(item) ? known.next().value : undefined }
  }
}

/** Part by part, newest first. */
async function* readPieces(
  ctx: Ctx,
  { compiled, communityId, kinds }: Judging,
  { after, limit }: { after: Point | undefined; limit: number },
): AsyncGenerator<TestedItem[]> {
  const hasSignals = compiled.needed.signals.length > 0
  const parts = PARTS.filter((part) => part === 'decided' || kinds.includes(part))
  let part = after?.part ?? parts[0]
  let last: After | undefined = after
  let left = limit
  while (part !== undefined && left > 0) {
    const search = { communityId, hasSignals, after: last, limit: Math.min(PIECE, left) }
    const items: TestedItem[] =
      part === 'decided'
        ? await readDecided(ctx, { ...search, kinds })
        : await readPending(ctx, { ...search, kind: part })
    yield items
    left -= items.length
    const end = items.at(-1)
    const isOver = end === undefined || items.length < search.limit
    if (isOver) part = parts[parts.indexOf(part) + 1]
    last = isOver ? undefined : pointOf(end)
  }
}

const pointOf = ({ outcome, subjectType, at, key }: TestedItem): Point => ({
  part: outcome === 'pending' ? subjectType : 'decided',
  at: at.toISOString(),
  key,
})

function isThere(item: TestedItem): item is TestedItem & { authorId: string } {
  return item.authorId !== null
}

const untested = (): Tested => ({
  judged: { rejected: 0, approved: 0, pending: 0 },
  caught: { rejected: 0, approved: 0, pending: 0 },
  costMs: 0,
})

/** Judges one item and adds to the batch what the rules say of it. */
function tallyOf({ rules, together }: BacktestBatch, { samples, onCaught }: Judging) {
  const byId = new Map(rules.map((rule) => [rule.ruleId, rule]))
  return (item: TestedItem, compiled: CompiledRules, facts: Facts): void => {
    const { outcome } = item
    const startedAt = performance.now()
    const { fired, failed } = judge(compiled, facts, (ruleId, tookMs) => {
      const rule = byId.get(ruleId)
      if (rule === undefined) return
      rule.judged[outcome] += 1
      rule.costMs += tookMs
    })
    together.costMs += performance.now() - startedAt
    together.judged[outcome] += 1
    if (fired.length > 0) {
      together.caught[outcome] += 1
      onCaught?.(item)
    }
    for (const { ruleId, found } of fired) addCaught(byId.get(ruleId), item, found, samples)
    for (const { ruleId } of failed) {
      const rule = byId.get(ruleId)
      if (rule) rule.failed += 1
    }
  }
}

function addCaught(rule: TestedRule | undefined, item: TestedItem, found: Found[], limit: number): void {
  if (rule === undefined) return
  rule.caught[item.outcome] += 1
  addSample(rule.samples, toSample(item, found), limit)
}

/** The community whose history they are tested on: their own, or for rules of the network the one that was asked for. */
function communityOf(rules: RuleToTest[], asked: string | undefined): string {
  const own = rules.flatMap((rule) => rule.communityId ?? [])
  const [communityId, ...others] = new Set(asked === undefined ? own : [...own, asked])
  if (communityId === undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['communityId: is required for a rule of the network'] })
  if (others.length > 0) throw new DomainError('INVALID_PARAMETERS', { detail: ["communityId: must be the rules'"] })
  return communityId
}

/** Names the rules as they are now: a revision never comes back. */
function nameOf(rules: RuleToTest[]): string {
  const revisions = rules.map(({ ruleId, revision }) => [ruleId, revision])
  return createHash('sha256').update(JSON.stringify(revisions)).digest('base64url')
}

function readCursor(cursor: string | undefined, rules: string): z.output<typeof Cursor> | undefined {
  if (cursor === undefined) return undefined
  const after = fromCursor(cursor, Cursor)
  if (after === undefined) throw new DomainError('INVALID_REQUEST', { detail: ['cursor: not valid'] })
  if (after.rules !== rules) throw new DomainError('CHANGED')
  return after
}

function toWriting(decided: TestedItem & { authorId: string }) {
  const { authorId, subjectId, createdAt, textAt, signals } = decided
  return { authorId, subjectId, at: createdAt, textAt, item: { ...itemOf(toJudged(decided)), signals: signals ?? {} } }
}

function toSample({ subjectType, subjectId, outcome, at, data }: TestedItem, found: Found[]): BacktestSample {
  return { subjectType, subjectId, outcome, at: at.toISOString(), ...foundTextOf(data, found) }
}
