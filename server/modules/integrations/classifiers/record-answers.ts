import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import type { NewSignal } from '#server/modules/content/signals/schema.ts'
import { storeSignals } from '#server/modules/content/signals/store-signals.ts'
import { type AskOutcome, writtenAt } from '#server/modules/integrations/classifiers/ask-classifier.ts'
import { type Breaker, breakerAfter } from '#server/modules/integrations/classifiers/breaker.ts'
import { ATTEMPTS, FAILURES_TO_OPEN } from '#server/modules/integrations/classifiers/schema.ts'
import { isSame, type TakenItem, toRows } from '#server/modules/integrations/classifiers/take-items.ts'

/** How long an item waits after each attempt that failed. */
const RETRY_AFTER_MS = [2_000, 10_000, 60_000, 300_000]
/** How many answers' times are kept. */
const TIMES_KEPT = 50

/** A request that ended, and what it was about. */
export interface EndedRequest {
  items: TakenItem[]
  outcome: AskOutcome
}

/**
 * Stores the ends of requests to one classifier: signals, the end of what was answered, the next attempts of what failed, counts and the
 * breaker, in one transaction. An answer counts once, and not if the classifier is off by then or the content has been edited. A score counts
 * as measured when the text was written, so one of an older text never counts for rules. Returns the breaker as it was and as it is;
 * undefined for a classifier that is off.
 */
export function recordAnswers(
  ctx: Ctx,
  classifierId: string,
  requests: EndedRequest[],
): Promise<{ before: Breaker; after: Breaker } | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const before = await lockClassifier(ctx, classifierId)
    if (before === undefined) return undefined
    const outcomes = requests.map(({ outcome }) => outcome)
    const failed = outcomes.filter(({ problem }) => problem !== undefined)
    const answered = requests.length - failed.length
    // Every further request would fail for the same reason: nothing is asked, and no item given up, until there is a new secret.
    const isUnsigned = failed.some(({ problem }) => problem === 'secret')
    const after = breakerAfter(before, {
      answered,
      failed: isUnsigned ? FAILURES_TO_OPEN : failed.length,
      now: ctx.now(),
    })

    const results = requests.flatMap(({ items, outcome }) =>
      items.map((item, index) => ({ item, signals: outcome.signals[index] })),
    )
    const ended = await endItems(
      ctx,
      results.flatMap(({ item, signals }) => (signals === undefined ? [] : [item])),
    )
    const scores = results.flatMap(({ item, signals = [] }) =>
      ended.has(keyOf(item)) ? toNewSignals(item, signals) : [],
    )
    if (scores.length > 0) await storeSignals(ctx, scores, classifierId)
    const unanswered = results.flatMap(({ item, signals }) => (signals === undefined ? [item] : []))
    await recordEnd(ctx, classifierId, { after, unanswered, outcomes, answered: ended.size })
    return { before, after }
  })
}

/** Locks a classifier. Everything that changes it and items locks it first. */
function lockClassifier(ctx: Ctx, classifierId: string): Promise<Breaker | undefined> {
  return queryOne<Breaker>(
    ctx,
    sql`
    select failures, opened_at, probe_at, probes from classifier
    where classifier_id = ${classifierId} and disabled_at is null and removed_at is null for no key update`,
  )
}

async function endItems(ctx: Ctx, items: TakenItem[]): Promise<Set<string>> {
  if (items.length === 0) return new Set()
  const ended = await query<Pick<TakenItem, 'subjectType' | 'subjectId'>>(
    ctx,
    sql`
    delete from classifier_item i using ${toRows(items)} where ${isSame}
    returning i.subject_type::text as subject_type, i.subject_id`,
  )
  return new Set(ended.map(keyOf))
}

const keyOf = ({ subjectType, subjectId }: Pick<TakenItem, 'subjectType' | 'subjectId'>) =>
  `${subjectType} ${subjectId}`

function toNewSignals(
  { subjectType, subjectId, content }: TakenItem,
  signals: Pick<NewSignal, 'name' | 'score' | 'modelVersion'>[],
): NewSignal[] {
  return signals.map((signal) => ({ ...signal, type: subjectType, id: subjectId, measuredAt: writtenAt(content) }))
}

interface End {
  after: Breaker
  unanswered: TakenItem[]
  outcomes: AskOutcome[]
  answered: number
}

/** While the breaker is open, no attempt of an item counts: it's the classifier that failed. */
async function recordEnd(
  ctx: Ctx,
  classifierId: string,
  { after: { failures, openedAt, probeAt, probes }, unanswered, outcomes, answered }: End,
): Promise<void> {
  const now = ctx.now()
  const times = outcomes.flatMap(({ problem, durationMs }) => (problem === undefined ? [durationMs] : []))
  const failure = outcomes.findLast(({ problem }) => problem !== undefined)
  const lastFailedAt = failure === undefined ? null : now
  const counted = openedAt === null ? 1 : 0
  await execute(
    ctx,
    sql`
    with given_up as (
      delete from classifier_item i using ${toRows(unanswered)}
      where ${isSame} and i.attempts + ${counted} >= ${ATTEMPTS} returning 1),
    retried as (
      update classifier_item i set attempts = i.attempts + ${counted}, due_at = ${now}::timestamptz
        + make_interval(secs => (${RETRY_AFTER_MS}::int[])[greatest(1, i.attempts + ${counted})] / 1000.0)
      from ${toRows(unanswered)}
      where ${isSame} and i.attempts + ${counted} < ${ATTEMPTS})
    update classifier set failures = ${failures}, opened_at = ${openedAt}, probe_at = ${probeAt}, probes = ${probes},
      answered = answered + ${answered}, failed = failed + (select count(*) from given_up),
      recent_ms = (${times}::int[] || recent_ms)[1:${sql.raw(String(TIMES_KEPT))}],
      last_answered_at = case when ${times.length > 0} then ${now}::timestamptz else last_answered_at end,
      last_failed_at = coalesce(${lastFailedAt}, last_failed_at),
      last_problem = case when ${lastFailedAt !== null} then ${failure?.problem ?? null} else last_problem end,
      last_status = case when ${lastFailedAt !== null} then ${failure?.status ?? null}::int else last_status end
    where classifier_id = ${classifierId}`,
  )
}
