import { actingUserId, type Ctx, ensureLookedUp } from '#server/core/ctx.ts'
import { inTransaction, onSharedConnections, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Act } from '#server/modules/ledger/audit/record-audit.ts'
import type { Delta } from '#server/modules/ledger/counts/record-delta.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'
import { chooseReason, requireReason } from '#server/modules/network/reasons/require-reason.ts'
import type {
  AtOnceHandler,
  ReviewHandler,
  ReviewItem,
  ReviewState,
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

/** Moves an item that is pending, was approved, or was rejected by rules to an outcome, together with everything a decision changes. */
export async function applyDecision(ctx: Ctx, input: Subject & Deciding, from: From<HeldOutcome>): Promise<Decided> {
  const { decided } = await applyDecisionAs(ctx, handlerOf(input.subjectType, input.outcome, from), input, { from })
  return decided
}

/** The states that a decision starts from. */
type From<Ends extends Outcome> = 'waiting' | (HeldOutcome & Ends)

interface Applied<Seen> {
  decided: Decided
  /** Reads the item as the caller sees it afterwards, in the same transaction; absent if it was decided before, or is not shown. */
  readSeen?: (() => Promise<Seen>) | undefined
}

type Input<Ends extends Outcome> = Subject & Deciding & { outcome: Ends }

/** The same for an item whose type is known, with its row. `isShown`: whether the caller is answered with the item. */
export async function applyDecisionAs<Row extends ReviewItem, Ends extends Outcome, Seen>(
  ctx: Ctx,
  kind: ReviewHandler<Row, Ends, Seen>,
  input: Input<Ends>,
  { from, isShown = false }: { from: From<Ends>; isShown?: boolean },
): Promise<Applied<Seen>> {
  const { atOnce } = kind
  const decided = atOnce && (await decideAtOnce(ctx, { ...kind, atOnce }, { input, from, isShown }))
  return decided ?? inTransaction(ctx, (ctx) => decideUnderLock(ctx, kind, input, from))
}

/** A decision that is changed by others while it is made is read again at most this often. */
const ATTEMPTS = 3

interface AtOnce<Ends extends Outcome> {
  input: Input<Ends>
  from: From<Ends>
  isShown: boolean
}

/**
 * One statement reads the item and all that its event and answer contain, another changes it if it is still the same and records the
 * decision. Undefined for an item whose change takes more than that.
 */
async function decideAtOnce<Ends extends Outcome, Seen>(
  ctx: Ctx,
  kind: Pick<ReviewHandler<ReviewItem, Ends>, 'toAuditState'> & { atOnce: AtOnceHandler<Ends, Seen> },
  { input, from, isShown }: AtOnce<Ends>,
): Promise<Applied<Seen> | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const item = await kind.atOnce.readOne(onSharedConnections(ctx), { ...input, isShown })
    if (item === undefined) throw new DomainError('NOT_FOUND')
    assertMayDecide(ctx, item)
    const version = input.version ?? item.version
    const same = await findRepeated(ctx, item, input, from)
    if (same) return { decided: same }
    const reason = chooseReason(input, item.managedReason)

    await assertAsSeen(ctx, item, { ...input, version }, from)
    const move = { from, to: input.outcome, version, at: ctx.now() }
    const change = item.changeTo(ctx, move)
    if (change === undefined) return undefined
    const moved = kind.atOnce.moved(ctx, [{ ...item, version }], move)
    const recorded = await record(ctx, kind, { moved, item, after: version + 1, input, from, reason, ...change })
    const { seen } = change
    if (recorded) return { decided: toDecided(input, recorded), readSeen: seen && (async () => seen) }
    // Somebody else was first, or the caller may no longer decide: the next reading says which.
    ensureLookedUp(ctx)
    if (attempt === ATTEMPTS) return throwChanged(ctx, item, input)
  }
}

function isThere(item: ReviewItem, from: From<HeldOutcome>): boolean {
  return item.isWaiting === (from === 'waiting')
}

/** The caller's earlier decision under the same key. A decision changes the version: what is still as the caller saw it has none. */
async function findRepeated(
  ctx: Ctx,
  item: ReviewItem,
  input: Subject & Deciding,
  from: From<HeldOutcome>,
): Promise<Decided | undefined> {
  const isAsSeen = isThere(item, from) && input.version === item.version
  return isAsSeen ? undefined : findSameDecision(ctx, input)
}

/** Fails with CHANGED for an item in another state or version, claimed by somebody else, or rejected by people. */
async function assertAsSeen(
  ctx: Ctx,
  item: ReviewItem,
  input: Subject & Deciding & { version: number },
  from: From<HeldOutcome>,
): Promise<void> {
  if (!isThere(item, from) || input.version !== item.version) return throwChanged(ctx, item, input)
  if (item.isWaiting) await assertUnclaimed(ctx, item, input)
  await assertReversible(ctx, item, input, from)
}

/**
 * An approval that somebody made is reversed, and what rules rejected is restored. What people rejected stays rejected, and so does what is on a
 * post that is gone. Nobody decides on it before its version changes.
 */
async function assertReversible(
  ctx: Ctx,
  item: ReviewItem,
  input: Subject & Deciding,
  from: ReviewState,
): Promise<void> {
  if (from === 'waiting') return
  const isReversible =
    from === 'approved' ? await isApproved(ctx, input) : !item.isPlaceGone && (await isRejectedByRules(ctx, input))
  if (!isReversible) await throwChanged(ctx, item, input)
}

/** Whether the latest decision in force approved it: what never was held can't be reversed. */
async function isApproved(ctx: Ctx, input: Subject & Deciding): Promise<boolean> {
  const latest = await readLatestDecision(ctx, input, input.outcome)
  return latest?.decision === 'approved'
}

async function decideUnderLock<Row extends ReviewItem, Ends extends Outcome, Seen>(
  ctx: Ctx,
  kind: ReviewHandler<Row, Ends, Seen>,
  input: Input<Ends>,
  from: From<Ends>,
): Promise<Applied<Seen>> {
  const held = await kind.lock(ctx, input.subjectId)
  assertMayDecide(ctx, held)
  const same = await findSameDecision(ctx, input)
  if (same) return { decided: same }

  if (!isThere(held, from)) return throwChanged(ctx, held, input)
  if (held.isWaiting) await assertUnclaimed(ctx, held, input)
  await assertReversible(ctx, held, input, from)
  const reason = await requireReason(ctx, input)
  const version = input.version ?? held.version
  const changed = await kind.move(ctx, held, { from, to: input.outcome, version })
  if (changed === undefined) return throwChanged(ctx, held, input)
  const { newEvent, readSeen } = await kind.publish(ctx, held, input.outcome)
  const moved = sql`
    moved as (
      select ${held.subjectId} as subject_id, ${changed.version}::int as version, ${changed.textDigest}::bytea as text_digest,
        ${changed.heldAt ?? null}::timestamptz as held_at)`
  const recorded = await record(ctx, kind, {
    item: held,
    after: changed.version,
    input,
    from,
    reason,
    moved,
    event: newEvent,
  })
  if (recorded === undefined) throw new Error('an insert returned no row')
  return { decided: toDecided(input, recorded), readSeen }
}

interface Change<Ends extends Outcome> {
  item: ReviewItem
  /** The item's version afterwards. */
  after: number
  input: Input<Ends>
  from: ReviewState<Ends>
  reason: string | undefined
  event: NewEvent
  deltas?: Delta[]
}

async function record<Ends extends Outcome>(
  ctx: Ctx,
  kind: Pick<ReviewHandler<ReviewItem, Ends>, 'toAuditState'>,
  { moved, ...change }: Change<Ends> & { moved: Sql },
): Promise<RecordedDecision | undefined> {
  const [recorded] = await recordDecisions(ctx, { moved, planned: [toRecord(ctx, kind, change)] })
  return recorded
}

/** What is recorded of a decision. */
export function toRecord<Ends extends Outcome>(
  ctx: Ctx,
  kind: Pick<ReviewHandler<ReviewItem, Ends>, 'toAuditState'>,
  { item, after, input, from, reason, event, deltas }: Change<Ends>,
): Recorded {
  const { subjectType, subjectId, outcome, reasonId, clientKey, bulkId } = input
  const act: Act = {
    subjectType,
    subjectId,
    action: `${subjectType}.${verbOf(from, outcome)}`,
    communityId: item.communityId,
    channelId: item.channelId ?? null,
    before: { ...kind.toAuditState(from), version: item.version },
    after: { ...kind.toAuditState(outcome), version: after },
    text: reason,
  }
  return {
    act,
    event: { ...event, holdForMs: ctx.undoWindowMs },
    ...(deltas && { deltas }),
    decision: {
      subjectType,
      subjectId,
      communityId: item.communityId,
      authorId: item.authorId,
      outcome,
      reason,
      reasonId,
      clientKey,
      bulkId,
      isReversal: from !== 'waiting',
    },
  }
}

function verbOf(from: ReviewState, outcome: Outcome): string {
  if (from === 'waiting') return outcome
  return from === 'rejected' ? 'restored' : 'reversed'
}

export function toDecided<Ends extends Outcome>(
  { subjectType, subjectId, outcome }: Input<Ends>,
  { decisionId, version, releasesAt }: RecordedDecision,
): Decided {
  return { subjectType, subjectId, decisionId, outcome, version, undoUntil: releasesAt.toISOString() }
}

function assertMayDecide(ctx: Ctx, item: ReviewItem): void {
  if (!item.mayReview || item.authorId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
}
