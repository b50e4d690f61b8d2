import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, isInTransaction, onSharedConnections, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Act } from '#server/modules/ledger/audit/record-audit.ts'
import { chooseReason, readManagedReason } from '#server/modules/network/reasons/require-reason.ts'
import type {
  AtOnceHandler,
  Change,
  ReviewHandler,
  ReviewItem,
  ReviewState,
  TransitionAt,
  UndecidedItem,
} from '#server/modules/review/decisions/handlers/handler.ts'
import { handlerOf } from '#server/modules/review/decisions/handlers/handlers.ts'
import { assertUnclaimed } from '#server/modules/review/decisions/may-decide.ts'
import {
  findSameDecision,
  type Recorded,
  type RecordedDecision,
  readLatestDecision,
  recordDecisions,
  throwChanged,
} from '#server/modules/review/decisions/record-decision.ts'
import type { Decided, Deciding, HeldOutcome, Outcome, Subject } from '#server/modules/review/decisions/schema.ts'
import { isRejectedByRules } from '#server/modules/rules/judging/review-reasons.ts'

/** An item as the caller saw it, and what they decide. */
export type DecisionInput = Subject & Deciding

export interface DecisionTerms {
  /** The state that the items are decided in. */
  from: 'waiting' | HeldOutcome | 'deleted'
  /** Whether an appeal against it was right: only then is restored what people rejected or deleted. */
  isAppeal?: boolean
  /** Whether the caller is answered with the item. */
  isShown?: boolean
}

/** What became of an item: decided, now or earlier under the same key, or why not. */
export type DecisionResult = Done | Failure

interface Done extends Pick<Change, 'seen'> {
  decided: Decided
}

interface Failure {
  failure: DomainError
}

type Result = [DecisionInput, DecisionResult]
type Results = Map<DecisionInput, DecisionResult>

/**
 * Decides on 1 to 100 items of any types. Those of one type, outcome and reason are decided together, in one transaction: read with all that their
 * events and answers contain, checked, compared and set, and recorded. What takes more than one statement, or was changed in between, is then decided
 * one by one, under its lock. An item that can't be decided says why; the others are.
 */
export async function decideItems(ctx: Ctx, inputs: DecisionInput[], terms: DecisionTerms): Promise<DecisionResult[]> {
  const results: Results = new Map()
  for (const alike of Map.groupBy(inputs, groupOf).values())
    for (const [input, result] of await decideAlike(ctx, alike, terms)) results.set(input, result)
  return inputs.map((input) => {
    const result = results.get(input)
    if (result === undefined) throw new Error('an insert returned no row')
    return result
  })
}

/** Decides on one item; throws why it can't be decided. */
export async function decideItem(ctx: Ctx, input: DecisionInput, terms: DecisionTerms): Promise<Done> {
  const [result] = await decideItems(ctx, [input], terms)
  if (result === undefined || 'failure' in result) throw result?.failure
  return result
}

const groupOf = ({ subjectType, outcome, reasonId = '' }: DecisionInput) => `${subjectType} ${outcome} ${reasonId}`

async function decideAlike(ctx: Ctx, inputs: DecisionInput[], terms: DecisionTerms): Promise<Iterable<Result>> {
  const [first, ...others] = inputs
  if (first === undefined) return []
  const decideAll = async (ctx: Ctx) => {
    const { subjectType, outcome } = first
    return decideEach(ctx, { ...terms, outcome, kind: handlerOf(subjectType, outcome, terms.from) }, inputs)
  }
  try {
    return await (others.length > 0 ? inTransaction(ctx, decideAll) : decideAll(ctx))
  } catch (error) {
    const failed = toFailure(error)
    if (others.length === 0) return [[first, failed]]
    if (isInTransaction(ctx)) throw error
    // Somebody used one of the keys at the same moment, which ended the transaction of all.
    const results = []
    for (const input of inputs) results.push(...(await decideAlike(ctx, [input], terms)))
    return results
  }
}

/** How items of one type are decided. */
interface Course extends DecisionTerms {
  kind: ReviewHandler
  outcome: Outcome
}

/** Decides at once what can be, then the rest one by one, each under its lock. */
async function decideEach(ctx: Ctx, course: Course, inputs: DecisionInput[]): Promise<Results> {
  const results: Results = new Map()
  const { atOnce } = course.kind
  if (atOnce) await decideRead(ctx, course, inputs, { items: await readAtOnce(ctx, atOnce, course, inputs), results })
  const left = inputs.filter((input) => !results.has(input)).sort(byId)
  if (left.length === 0) return results
  return inTransaction(ctx, async (ctx) => {
    for (const input of left) {
      const item = await lock(ctx, course, input).catch(toFailure)
      if ('failure' in item) results.set(input, item)
      else await decideRead(ctx, course, [input], { items: [item], results })
    }
    return results
  })
}

/** The order in which everyone who decides on several items locks them, so that no two wait for each other. */
const byId = (one: Subject, other: Subject) => (one.subjectId < other.subjectId ? -1 : 1)

/** Reads items with all that their events and answers contain. A single one isn't locked: if it changes before it is moved, it isn't decided. */
async function readAtOnce(
  ctx: Ctx,
  { readOne, readSeveral }: AtOnceHandler,
  { isShown = false }: Course,
  inputs: DecisionInput[],
): Promise<UndecidedItem[]> {
  const [first] = inputs
  if (first === undefined) return []
  const ids = inputs.map(({ subjectId }) => subjectId)
  if (ids.length > 1) return readSeveral(ctx, ids, first)
  const item = await readOne(onSharedConnections(ctx), { ...first, isShown })
  return item ? [item] : []
}

/** Locks one item. Its `changeTo` moves it at once, before the decision is recorded. */
async function lock(ctx: Ctx, { kind }: Course, input: DecisionInput): Promise<UndecidedItem> {
  const row = await kind.lock(ctx, input.subjectId)
  return {
    ...row,
    managedReason: await readManagedReason(ctx, input),
    changeTo: async (ctx, move) => {
      const moved = await kind.move(ctx, row, move)
      if (moved === undefined) return throwChanged(ctx, row, input)
      return { ...(await kind.publish(ctx, row, input.outcome)), after: moved.version, moved }
    },
  }
}

/** Items as they were read, and what became of them so far. */
interface Read {
  items: UndecidedItem[]
  results: Results
}

async function decideRead(ctx: Ctx, course: Course, inputs: DecisionInput[], { items, results }: Read): Promise<void> {
  const found = new Map(items.map((item) => [item.subjectId, item]))
  const planned = new Map<string, Planned>()
  const { isAppeal } = course
  const move = { from: course.from, to: course.outcome, at: ctx.now() }
  for (const input of inputs) {
    // Named twice, it is decided once.
    if (planned.has(input.subjectId)) continue
    const result = await plan(ctx, input, found.get(input.subjectId), { ...move, isAppeal }).catch(toFailure)
    if (result && 'change' in result) planned.set(input.subjectId, result)
    else if (result) results.set(input, result)
  }
  for (const recorded of await recordPlanned(ctx, course.kind, move, [...planned.values()])) {
    const one = planned.get(recorded.subjectId)
    if (one) results.set(one.input, { ...one.change, decided: toDecided(one.input, recorded) })
  }
}

/** An item that can be decided, and what changes with it. */
interface Planned {
  input: DecisionInput
  item: UndecidedItem
  change: Change
  reason: string | undefined
}

/**
 * What deciding on an item changes, or the caller's earlier decision under the same key; undefined for what takes more than one statement. Fails
 * unless the caller may decide on it, as they saw it.
 */
async function plan(
  ctx: Ctx,
  input: DecisionInput,
  item: UndecidedItem | undefined,
  { isAppeal = false, ...move }: TransitionAt & Pick<DecisionTerms, 'isAppeal'>,
): Promise<Planned | Done | undefined> {
  if (item === undefined) throw new DomainError('NOT_FOUND')
  if (!item.mayReview || item.authorId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
  const isThere = item.isWaiting === (move.from === 'waiting')
  // A decision changes the version: what is still as the caller saw it has no decision under this key yet.
  const earlier = isThere && input.version === item.version ? undefined : await findSameDecision(ctx, input)
  if (earlier) return { decided: earlier }
  const reason = chooseReason(input, item.managedReason)
  if (!isThere || (input.version ?? item.version) !== item.version) return throwChanged(ctx, item, input)
  if (item.isWaiting) await assertUnclaimed(ctx, item, input)
  else if (!isAppeal) await assertReversible(ctx, item, input)
  else if (item.isPlaceGone) await throwChanged(ctx, item, input)
  const change = await item.changeTo(ctx, move)
  return change && { input, item, change, reason }
}

/**
 * Only an approval that somebody made can be reversed, and only what rules rejected restored: what people rejected stays rejected, and so does what
 * is on a post that is gone. True until the item's version changes, as every decision changes that.
 */
async function assertReversible(ctx: Ctx, item: ReviewItem, input: DecisionInput): Promise<void> {
  // Published, at the version that was seen: whether somebody approved it doesn't matter.
  if (input.outcome === 'deleted') return
  const isReversible =
    input.outcome === 'rejected'
      ? (await readLatestDecision(ctx, input, input.outcome))?.decision === 'approved'
      : !item.isPlaceGone && (await isRejectedByRules(ctx, input))
  if (!isReversible) await throwChanged(ctx, item, input)
}

/** Compares, sets and records what is planned; the result lacks what was changed in between. */
async function recordPlanned(
  ctx: Ctx,
  kind: ReviewHandler,
  move: TransitionAt,
  planned: Planned[],
): Promise<RecordedDecision[]> {
  const [first, ...others] = planned.map((one) => toRecord(ctx, kind, move, one))
  if (first === undefined) return []
  return recordDecisions(ctx, { moved: movedTables(ctx, kind, move, planned), planned: [first, ...others] })
}

/** The common table expression `moved`: it moves the items, or lists what they became under their locks. */
function movedTables(ctx: Ctx, kind: ReviewHandler, move: TransitionAt, planned: Planned[]): Sql {
  const items = planned.map(({ item }) => item)
  if (kind.atOnce && planned.every(({ change }) => !change.moved)) return kind.atOnce.moved(ctx, items, move)
  return sql`
    moved as (${sql.join(
      planned.map(
        ({ item, change: { moved } }) => sql`
        select ${item.subjectId} as subject_id, ${moved?.version}::int as version, ${moved?.textDigest ?? null}::bytea as text_digest,
          ${moved?.heldAt ?? null}::timestamptz as held_at`,
      ),
      ' union all ',
    )})`
}

/** What is recorded of a decision. */
function toRecord(
  ctx: Ctx,
  kind: ReviewHandler,
  { from }: TransitionAt,
  { input, item, change, reason }: Planned,
): Recorded {
  const { subjectType, subjectId, outcome, reasonId, clientKey, bulkId } = input
  const { communityId, channelId = null, authorId } = item
  const { event, deltas, after } = change
  const act: Act = {
    subjectType,
    subjectId,
    action: `${subjectType}.${verbOf(from, outcome)}`,
    communityId,
    channelId,
    before: { ...kind.toAuditState(from), version: item.version },
    after: { ...kind.toAuditState(outcome), version: after },
    text: reason,
  }
  const made = { subjectType, subjectId, communityId, authorId, outcome, reason, reasonId, clientKey, bulkId }
  return {
    act,
    event: { ...event, holdForMs: ctx.undoWindowMs },
    ...(deltas && { deltas }),
    decision: { ...made, kind: kind.kind, isReversal: from !== 'waiting' },
  }
}

function verbOf(from: ReviewState, outcome: Outcome): string {
  if (from === 'waiting' || outcome === 'deleted') return outcome
  return from === 'approved' ? 'reversed' : 'restored'
}

function toDecided(
  { subjectType, subjectId, outcome }: DecisionInput,
  { decisionId, version, releasesAt }: RecordedDecision,
): Decided {
  return { subjectType, subjectId, decisionId, outcome, version, undoUntil: releasesAt.toISOString() }
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof DomainError)) throw error
  return { failure: error }
}
