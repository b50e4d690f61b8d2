import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockChannelsOf } from '#server/modules/content/messages/lock-message.ts'
import { readBulk } from '#server/modules/review/bulk/read-bulk.ts'
import { workOnSanctions } from '#server/modules/review/bulk/sanctions.ts'
import type { BulkInput, BulkProgress } from '#server/modules/review/bulk/schema.ts'
import { decideItems } from '#server/modules/review/decisions/decide-items.ts'
import type { HeldOutcome, Outcome, SubjectType } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import type { BanScope, SanctionKind } from '#server/modules/spaces/sanctions/schema.ts'

/** Items decided in one transaction: few enough that locks are held briefly. */
const ITEMS_A_STEP = 25
/** The longest that one call works before it returns its progress. */
const WORK_FOR_MS = 1_000
/** Events are held while the bulk action runs; when it finishes, the undo time of all its decisions starts at once. */
export const HELD_WHILE_WORKING_MS = 10 * 60_000

/**
 * Works for about a second on one of the caller's own bulk actions, or on its undo, and returns the progress; call it until it
 * is finished. Each call takes the next items, so concurrent callers are safe. NOT_FOUND for a colleague's.
 */
export async function runBulk(ctx: Ctx, input: BulkInput): Promise<BulkProgress> {
  await readBulk(ctx, input)
  const until = performance.now() + WORK_FOR_MS
  let progress: BulkProgress | undefined
  while (progress === undefined) {
    progress = await inTransaction(ctx, async (ctx) => {
      const goesOn = (await step(ctx, input.bulkId)) && performance.now() < until
      return goesOn ? undefined : readBulk(ctx, input)
    })
  }
  return progress
}

interface Bulk {
  outcome: HeldOutcome
  reason: string | null
  reasonId: string | null
  isUndone: boolean
  sanction: SanctionKind | null
  sanctionScope: BanScope | null
  sanctionEndsAt: Date | null
  sanctionReason: string | null
  sanctionPolicyId: string | null
}

interface Item {
  position: number
  subjectType: SubjectType
  subjectId: string
  version: number
  /** It isn't held but published: it is deleted. */
  isPublished: boolean
  decisionId: string | null
}

/** Returns true if more may be left. */
function step(ctx: Ctx, bulkId: string): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const bulk = await queryOne<Bulk>(
      ctx,
      sql`
      update bulk set worked_at = ${ctx.now()}
      where bulk_id = ${bulkId} and made_by = ${actingUserId(ctx) ?? null} and finished_at is null
      returning outcome, reason, reason_id, undone_at is not null as is_undone,
        sanction, sanction_scope, sanction_ends_at, sanction_reason, sanction_policy_id`,
    )
    if (bulk === undefined) return false

    const items = await takeItems(ctx, bulkId, bulk)
    if (items.length === 0 && (await workOnSanctions(ctx, { ...bulk, bulkId }))) return true
    if (items.length === 0) {
      await finish(ctx, bulkId)
      return false
    }
    if (items[0]?.subjectType === 'message') await lockChannelsOf(ctx, idsOf(items))
    const results = await (bulk.isUndone ? undoItems(ctx, items) : decideTaken(ctx, bulkId, bulk, items))
    await noteResults(ctx, bulkId, bulk, results)
    return true
  })
}

/** Locks the next items, all of one type, held or published: writing a comment locks comments and posts in another order than deciding on both would. */
async function takeItems(ctx: Ctx, bulkId: string, { isUndone }: Bulk): Promise<Item[]> {
  const isNext = isUndone ? sql`state = 'done' and failure is null` : sql`state = 'waiting'`
  const items = await query<Item>(
    ctx,
    sql`
    select position, subject_type, subject_id, version, is_published, decision_id::text as decision_id
    from bulk_item where bulk_id = ${bulkId} and ${isNext}
    order by position ${sql.raw(`limit ${ITEMS_A_STEP}`)} for update`,
  )
  const [first] = items
  return items.filter(
    ({ subjectType, isPublished }) => subjectType === first?.subjectType && isPublished === first.isPublished,
  )
}

const idsOf = (items: Item[]) => items.map(({ subjectId }) => subjectId)

interface Result {
  position: number
  failure: string | null
  decisionId: string | null
}

/** An item that can't be decided stays as it is, and the others are decided. */
async function decideTaken(ctx: Ctx, bulkId: string, bulk: Bulk, items: Item[]): Promise<Result[]> {
  const { reason, reasonId } = bulk
  const isPublished = items[0]?.isPublished ?? false
  const outcome: Outcome = isPublished ? 'deleted' : bulk.outcome
  const terms = { outcome, reason: reason ?? undefined, reasonId: reasonId ?? undefined, bulkId }
  const inputs = items.map(({ subjectType, subjectId, version }) => ({ ...terms, subjectType, subjectId, version }))
  const decided = await decideItems({ ...ctx, undoWindowMs: HELD_WHILE_WORKING_MS }, inputs, {
    from: isPublished ? 'approved' : 'waiting',
  })
  return items.map(({ position }, index) => {
    const result = decided[index]
    if (result && 'decided' in result) return { position, failure: null, decisionId: result.decided.decisionId }
    return { position, failure: failureOf(result?.failure), decisionId: null }
  })
}

/** A decision that can't be undone is kept; the others are undone. */
async function undoItems(ctx: Ctx, items: Item[]): Promise<Result[]> {
  const results: Result[] = []
  for (const { position, decisionId } of items) {
    const failure = decisionId === null ? null : await undoDecision(ctx, { decisionId }).then(() => null, failureOf)
    results.push({ position, failure, decisionId })
  }
  return results
}

function failureOf(error: unknown): string {
  if (!(error instanceof DomainError)) throw error
  return error.details && 'claimedBy' in error.details ? 'CLAIMED' : error.code
}

async function noteResults(ctx: Ctx, bulkId: string, { isUndone }: Bulk, results: Result[]): Promise<void> {
  const done = isUndone ? 'undone' : 'done'
  const refused = isUndone ? 'done' : 'refused'
  await execute(
    ctx,
    sql`
    update bulk_item i set failure = r.failure, decision_id = r.decision_id::bigint,
      state = (case when r.failure is null then ${done} else ${refused} end)::bulk_item_state
    from unnest(${results.map(({ position }) => position)}::int[], ${results.map(({ failure }) => failure)}::text[],
      ${results.map(({ decisionId }) => decisionId)}::text[]) as r(position, failure, decision_id)
    where i.bulk_id = ${bulkId} and i.position = r.position`,
  )
}

/** Starts the undo time of the whole bulk action. From here on, only the bans or mutes themselves have their reason. */
async function finish(ctx: Ctx, bulkId: string): Promise<void> {
  const releasesAt = new Date(ctx.now().getTime() + ctx.undoWindowMs)
  await execute(
    ctx,
    sql`
    with finished as (
      update bulk set finished_at = ${ctx.now()}, sanction_reason = null where bulk_id = ${bulkId} and finished_at is null returning bulk_id)
    update event e set releases_at = ${releasesAt}
    from finished join decision d on d.bulk_id = finished.bulk_id
    where e.event_id = d.event_id and e.state = 'held'`,
  )
}

/** Ends a bulk action whose owner has lost access: decisions already made remain, the other items stay unchanged. */
export async function abandonBulk(ctx: Ctx, { bulkId }: BulkInput): Promise<void> {
  await finish(ctx, bulkId)
}
