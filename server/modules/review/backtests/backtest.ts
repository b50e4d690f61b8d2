import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { fromCursor, toCursor } from '#server/core/paging.ts'
import { standAside } from '#server/core/stand-aside.ts'
import { toJudged } from '#server/modules/content/signals/judged-content.ts'
import {
  type After,
  countDecided,
  type DecidedItem,
  readDecided,
} from '#server/modules/review/backtests/read-decided.ts'
import { addSample, type BacktestSample } from '#server/modules/review/backtests/samples/schema.ts'
import type { BacktestBatch, BacktestInput, Tested, TestedRule } from '#server/modules/review/backtests/schema.ts'
import { type CompiledRules, compileRules } from '#server/modules/rules/conditions/compile.ts'
import type { Facts } from '#server/modules/rules/conditions/facts.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'
import { judge } from '#server/modules/rules/conditions/judge.ts'
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

const Cursor = z.object({ rules: z.string(), decidedAt: z.iso.datetime(), decisionId: z.string().regex(/^\d{1,18}$/) })

/**
 * What the current versions of rules would have caught among items that people decided on: one batch, newest decisions first; the caller goes
 * on with `next`, or stops. Each item is read once for all rules. Changes nothing. Fails with NOT_FOUND if the caller may not manage one of the
 * rules, FORBIDDEN where they may not review what one judges, INVALID_PARAMETERS for rules of the network without a community and for rules
 * and communities that don't belong together, CHANGED if somebody changed one of the rules since the batch before.
 */
export async function backtest(ctx: Ctx, input: BacktestInput): Promise<BacktestBatch> {
  const rules = await requireRules(ctx, input.ruleIds)
  if (!rules.every(mayTest)) throw new DomainError('FORBIDDEN')
  const communityId = communityOf(rules, input.communityId)
  const name = nameOf(rules)
  const after = readCursor(input.cursor, name)

  const kinds = ReviewedKind.options.filter((kind) => rules.some((rule) => rule.kinds.includes(kind)))
  const judging = { rules, compiled: await compileRules(rules), communityId, kinds, samples: input.samples }
  const { batch, next } = await judgeDecided(ctx, judging, { after, limit: input.limit })
  return {
    ...batch,
    ...(after === undefined && { total: await countDecided(ctx, communityId, kinds) }),
    ...(next && { next: toCursor({ rules: name, ...next }) }),
  }
}

interface Judging {
  rules: RequiredRule[]
  compiled: CompiledRules
  communityId: string
  kinds: ReviewedKind[]
  samples: number
}

/** The items in their order, up to the last one that there was time for; `next` is undefined at the end of the history. */
async function judgeDecided(
  ctx: Ctx,
  judging: Judging,
  { after, limit }: { after: After | undefined; limit: number },
): Promise<{ batch: BacktestBatch; next: After | undefined }> {
  const { rules, compiled, samples } = judging
  const of = (kind: ReviewedKind) => ({
    ...compiled,
    rules: compiled.rules.filter((_, at) => rules[at]?.kinds.includes(kind)),
  })
  const compiledFor: Record<ReviewedKind, CompiledRules> = { comment: of('comment'), post: of('post') }
  const tested = rules.map(({ ruleId, version }) => ({ ruleId, version, ...untested(), failed: 0, samples: [] }))
  const batch: BacktestBatch = { rules: tested, together: untested(), missing: 0 }
  const tally = tallyOf(batch, samples)

  let [next, count] = [after, 0]
  let turnAt = performance.now()
  const until = turnAt + BATCH_MS
  for await (const { item, facts } of readInPieces(ctx, judging, { after, limit })) {
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

/** Decided items, newest decision first, each with what the rules need to know of it, or without if its content is gone. */
async function* readInPieces(
  ctx: Ctx,
  { compiled, communityId, kinds }: Judging,
  { after, limit }: { after: After | undefined; limit: number },
): AsyncGenerator<{ item: DecidedItem; facts: Facts | undefined }> {
  const hasSignals = compiled.needed.signals.length > 0
  let last = after
  for (let left = limit; left > 0; left -= PIECE) {
    const size = Math.min(PIECE, left)
    const decided = await readDecided(ctx, { communityId, kinds, hasSignals, after: last, limit: size })
    const writings = decided.filter(isThere).map(toWriting)
    const facts = await readFacts(ctx, { communityId }, writings, compiled.needed)
    const known = writings.map(({ item }, index) => ({ ...item, ...facts[index] })).values()
    for (const item of decided) yield { item, facts: isThere(item) ? known.next().value : undefined }
    const end = decided.at(-1)
    if (end === undefined || decided.length < size) return
    last = pointOf(end)
  }
}

const pointOf = ({ decidedAt, decisionId }: DecidedItem): After => ({ decidedAt: decidedAt.toISOString(), decisionId })

function isThere(item: DecidedItem): item is DecidedItem & { authorId: string } {
  return item.authorId !== null
}

const untested = (): Tested => ({
  judged: { rejected: 0, approved: 0 },
  caught: { rejected: 0, approved: 0 },
  costMs: 0,
})

/** Judges one item and adds to the batch what the rules say of it. */
function tallyOf({ rules, together }: BacktestBatch, samples: number) {
  const byId = new Map(rules.map((rule) => [rule.ruleId, rule]))
  return (item: DecidedItem, compiled: CompiledRules, facts: Facts): void => {
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
    if (fired.length > 0) together.caught[outcome] += 1
    for (const { ruleId, found } of fired) addCaught(byId.get(ruleId), item, found, samples)
    for (const { ruleId } of failed) {
      const rule = byId.get(ruleId)
      if (rule) rule.failed += 1
    }
  }
}

function addCaught(rule: TestedRule | undefined, item: DecidedItem, found: Found[], limit: number): void {
  if (rule === undefined) return
  rule.caught[item.outcome] += 1
  addSample(rule.samples, toSample(item, found), limit)
}

/** The community whose history they are tested on: their own, or for rules of the network the one that was asked for. */
function communityOf(rules: RequiredRule[], asked: string | undefined): string {
  const own = rules.flatMap((rule) => rule.communityId ?? [])
  const [communityId, ...others] = new Set(asked === undefined ? own : [...own, asked])
  if (communityId === undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['communityId: is required for a rule of the network'] })
  if (others.length > 0) throw new DomainError('INVALID_PARAMETERS', { detail: ["communityId: must be the rules'"] })
  return communityId
}

/** Names the rules as they are now: a revision never comes back. */
function nameOf(rules: RequiredRule[]): string {
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

function toWriting(decided: DecidedItem & { authorId: string }) {
  const { authorId, subjectId, createdAt, textAt, signals } = decided
  return { authorId, subjectId, at: createdAt, textAt, item: { ...itemOf(toJudged(decided)), signals: signals ?? {} } }
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
