import { asOwner, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import { commentKind } from '#server/modules/content/comments/comment-kind.ts'
import { flagByRules } from '#server/modules/content/flags/flag.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { postKind } from '#server/modules/content/posts/post-kind.ts'
import type { ContentKind } from '#server/modules/content/reviewable/content-kind.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { rejectOrHold } from '#server/modules/content/reviewable/reject-or-hold.ts'
import { type Measured, readMeasured } from '#server/modules/content/signals/read-measured.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { SUBJECTS } from '#server/modules/ledger/reports/subjects.ts'
import { asRules } from '#server/modules/rules/judging/as-rules.ts'
import { type Judgement, judgeOnSignals, recordMatches, UNJUDGED } from '#server/modules/rules/judging/judge-content.ts'
import { muteAuthor } from '#server/modules/rules/judging/mute-author.ts'
import { withTreatment } from '#server/modules/rules/judging/with-treatment.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

const SIGNALS_A_BATCH = 200

/** A score that rules haven't judged yet. */
interface Unjudged {
  subjectType: string
  subjectId: string
  name: string
  measuredAt: Date
}

/**
 * Has the rules that ask for signals judge the content of one batch of new scores: what is public and a live rule holds waits for review
 * again, what one rejects is rejected and what one flags is reported, unless people have decided on it since its last edit. No score is lost,
 * also with several workers or after a crash: what a rule fires on is judged again under its lock, in the transaction that stores it. True if
 * more may be left. Uses signal_unjudged.
 */
export async function judgeSignals(ctx: Ctx): Promise<boolean> {
  return (await setAside.workBatch(ctx, (batch) => judgeBatch(ctx, batch))) === SIGNALS_A_BATCH
}

const setAside = createSetAside('signals')

async function judgeBatch(ctx: Ctx, batch: Batch): Promise<void> {
  const signals = await query<Unjudged>(
    ctx,
    sql`
    select subject_type::text as subject_type, subject_id, name, measured_at from signal
    where not is_judged and ${batch.isTaken(sql`subject_id`)} order by received_at ${sql.raw(`limit ${SIGNALS_A_BATCH}`)}`,
  )
  batch.take(signals.map(({ subjectId }) => subjectId))
  if (signals.length === 0) return

  const ctxOfRules = asRules(ctx)
  const fired = await inTransaction(ctxOfRules, async (ctx) => findFired(ctx, await readMeasured(ctx, signals)))
  const firedKeys = new Set(fired.map(({ kind, subjectId }) => `${kind} ${subjectId}`))
  await markJudged(
    ctx,
    signals.filter(({ subjectType, subjectId }) => !firedKeys.has(`${subjectType} ${subjectId}`)),
  )
  for (const content of fired) await judgeLocked(ctxOfRules, content)
}

/** The contents on which rules fire as they are now. */
async function findFired(ctx: Ctx, contents: Measured[]): Promise<Measured[]> {
  const places = Map.groupBy(contents, ({ kind, communityId }) => `${kind} ${communityId}`)
  const fired: Measured[] = []
  for (const ofPlace of places.values()) {
    const [place] = ofPlace
    if (place === undefined) continue
    const judgements = await judgeOnSignals(ctx, place, ofPlace)
    fired.push(...ofPlace.filter((_, index) => hasFired(judgements[index] ?? UNJUDGED)))
  }
  return fired
}

const hasFired = ({ rejecting, holding, flagging, highlighting, shadow }: Judgement) =>
  [rejecting, holding, flagging, highlighting, shadow].some((fired) => fired.length > 0)

/** Marks these scores as judged, unless a newer one came. */
async function markJudged(ctx: Ctx, signals: Unjudged[]): Promise<void> {
  const column = <Name extends keyof Unjudged>(name: Name) => signals.map((signal) => signal[name])
  await execute(
    ctx,
    sql`
    update signal s set is_judged = true
    from unnest(${column('subjectType')}::subject_type[], ${column('subjectId')}::text[], ${column('name')}::text[],
      ${column('measuredAt')}::timestamptz[]) as judged(subject_type, subject_id, name, measured_at)
    where s.subject_type = judged.subject_type and s.subject_id = judged.subject_id and s.name = judged.name
      and s.measured_at = judged.measured_at and not s.is_judged`,
  )
}

const KINDS: Record<ReviewedKind, ContentKind<LockedContent, unknown>> = { comment: commentKind, post: postKind }

/** Judges the content under its lock, so that neither its text nor its signals change in between. Rules don't judge what reviewers write. */
function judgeLocked(ctx: Ctx, { kind, subjectId, authorId }: Measured): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const ofAuthor = asOwner(ctx, authorId)
    const content = await KINDS[kind].flaggable.lock(ofAuthor, subjectId)
    const [measured] = await readMeasured(ctx, [{ subjectType: kind, subjectId }])
    if (measured && !content.mayReview) {
      const [judged = UNJUDGED] = await judgeOnSignals(ctx, measured, [measured])
      const judgement = content.treatment?.kind === 'trust' ? withTreatment(judged, content.treatment) : judged
      const gainsReason = !content.isPublic && (await hasNewReason(ctx, { kind, subjectId }, judgement))
      const write = () => raiseVersion(ctx, { kind, subjectId })
      const isActedOn = await rejectOrHold(ctx, KINDS[kind], content, { judgement, write })
      if (!isActedOn && content.isPublic)
        await flagByRules(ofAuthor, KINDS[kind].flaggable, { id: subjectId, rules: judgement.flagging })
      await recordMatches(ctx, { kind, subjectId }, judgement)
      await putItems(ctx, kind, [subjectId])
      await muteAuthor(ctx, { kind, ...content, isLate: true }, judgement)
      if (gainsReason) await publishReason(ctx, measured)
    }
    await execute(
      ctx,
      sql`
      update signal set is_judged = true
      where subject_type = ${kind}::subject_type and subject_id = ${subjectId} and not is_judged`,
    )
  }).catch((error: unknown) => {
    // Gone since, and its signals with it.
    if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error
  })
}

async function raiseVersion(ctx: Ctx, { kind, subjectId }: Pick<Measured, 'kind' | 'subjectId'>): Promise<void> {
  const { table, id } = SUBJECTS[kind]
  await execute(ctx, sql`update ${table} set version = version + 1 where ${id} = ${subjectId}`)
}

/** Whether one of the live rules that fired isn't among the reasons yet, or only in an earlier version. What is rejected waits no longer. */
async function hasNewReason(
  ctx: Ctx,
  { kind, subjectId }: Pick<Measured, 'kind' | 'subjectId'>,
  { rejecting, holding, highlighting }: Judgement,
): Promise<boolean> {
  const fired = [...holding, ...highlighting]
  if (rejecting.length > 0 || fired.length === 0) return false
  // Uses rule_match_subject_type_subject_id_rule_id_key.
  const added = await queryOne(
    ctx,
    sql`
    select true as is_new
    from unnest(${fired.map(({ ruleId }) => ruleId)}::text[], ${fired.map(({ version }) => version)}::int[]) as fired(rule_id, version)
    where not exists (
      select from rule_match m
      where m.subject_type = ${kind}::subject_type and m.subject_id = ${subjectId} and m.rule_id = fired.rule_id
        and m.version = fired.version and m.is_live)
    limit 1`,
  )
  return added !== undefined
}

/** Desks that show the pending item read it again. */
async function publishReason(ctx: Ctx, { kind, subjectId, communityId }: Measured): Promise<void> {
  await recordEvent(ctx, {
    name: `desk.${kind}.didGainReason`,
    isDeskOnly: true,
    subjectType: kind,
    subjectId,
    communityId,
    payload: {},
  })
}
