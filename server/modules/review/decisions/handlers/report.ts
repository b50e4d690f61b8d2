import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Placed } from '#server/modules/content/flags/flag.ts'
import { restoreFlags, suspendFlags } from '#server/modules/content/flags/write-flags.ts'
import { SUBJECTS, type SubjectType } from '#server/modules/ledger/reports/subjects.ts'
import type {
  ReviewHandler,
  ReviewItem,
  Transition,
  TransitionResult,
} from '#server/modules/review/decisions/handlers/handler.ts'
import type { Reportable } from '#server/modules/review/decisions/handlers/reportable.ts'
import type { ReportOutcome } from '#server/modules/review/decisions/schema.ts'
import { withReasons } from '#server/modules/review/decisions/with-reasons.ts'
import { actingRulesOf } from '#server/modules/rules/judging/review-reasons.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'

interface Reported<Subject> extends ReviewItem {
  subject: Subject
  actingRules: ReviewReason[] | null
}

/** The report of an item, for one outcome: it is pending while it is open, and decisions apply to its version. */
export function reportHandler<Subject extends Placed>(
  reportable: Reportable<Subject>,
  outcome: ReportOutcome,
): ReviewHandler<Reported<Subject>, ReportOutcome> {
  return {
    kind: 'reported',
    lock: (ctx, id) => lock(ctx, reportable, { id, outcome }),
    move: (ctx, reported, move) => moveReport(ctx, reportable, reported, move),
    toAuditState: (state) => ({ report: state === 'waiting' ? 'open' : state }),
    publish: async (ctx, { subject, actingRules }) => {
      const event = await (outcome === 'deleted' && reportable.deletion
        ? reportable.deletion.eventOf(ctx, subject)
        : reportable.eventOf(ctx, subject, 'didClearFlag'))
      return { event: withReasons(event, actingRules) }
    },
  }
}

/** The lock on the subject protects its report too. A caller who may not review it doesn't learn whether a report exists. */
async function lock<Subject extends Placed>(
  ctx: Ctx,
  reportable: Reportable<Subject>,
  { id, outcome }: { id: string; outcome: ReportOutcome },
): Promise<Reported<Subject>> {
  const subject = await reportable.lock(ctx, id)
  const mayReview =
    outcome === 'deleted'
      ? (reportable.deletion?.mayDelete(ctx, subject) ?? false)
      : reportable.mayDismiss(ctx, subject)
  if (!mayReview) throw new DomainError('FORBIDDEN')
  const report = await queryOne<Omit<Reported<Subject>, 'subjectId' | 'subject' | 'mayReview'>>(
    ctx,
    sql`
    select community_id, channel_id, author_id, version, state = 'waiting' as is_waiting, claimed_by, claimed_until,
      ${actingRulesOf(contentOf(reportable.type))} as acting_rules
    from review_item report where ${ofThis(reportable.type, id)}`,
  )
  if (report === undefined) throw new DomainError('NOT_FOUND')
  return { ...report, subjectId: id, subject, mayReview }
}

/** People are never edited. */
function contentOf(type: SubjectType) {
  const { table, id } = SUBJECTS[type]
  const editedAt =
    type === 'user' ? sql`null::timestamptz` : sql`(select edited_at from ${table} where ${id} = report.subject_id)`
  return { subjectType: sql`report.subject_type::subject_type`, subjectId: sql`report.subject_id`, editedAt }
}

async function moveReport<Subject extends Placed>(
  ctx: Ctx,
  reportable: Reportable<Subject>,
  { subjectId, subject, version }: Reported<Subject>,
  { from, to }: Transition<ReportOutcome>,
): Promise<TransitionResult | undefined> {
  // What its author has deleted stays deleted, and is deleted no second time.
  if (subject.isWithdrawn && (from === 'deleted' || to === 'deleted')) return undefined
  const { type } = reportable
  const claimed = await queryOne(
    ctx,
    sql`
    update review_item report set version = version + 1
    where ${ofThis(type, subjectId)} and version = ${version} and (state = 'waiting') = ${from === 'waiting'} returning version`,
  )
  if (claimed === undefined) return undefined

  if (to === 'deleted') await reportable.deletion?.hide(ctx, subject)
  else if (from === 'deleted') await reportable.deletion?.restore(ctx, subject)
  else {
    await (to === 'dismissed' ? suspendFlags : restoreFlags)(ctx, { type, id: subjectId })
    await reportable.afterFlag?.(ctx, subject, { verb: 'didClearFlag', flagCount: 0 })
  }
  return queryOne<TransitionResult>(
    ctx,
    sql`
    select version, (
      select text_digest(data) from comment where ${type} = 'comment' and comment_id = subject_id
      union all select text_digest(data) from post where ${type} = 'post' and post_id = subject_id
      union all select text_digest(data) from message where ${type} = 'message' and message_id = subject_id) as text_digest
    from review_item report where ${ofThis(type, subjectId)}`,
  )
}

/** Whether `review_item report` is the report on this subject. Uses review_item_pkey. */
function ofThis(type: SubjectType, subjectId: string) {
  return sql`report.subject_type = ${type} and report.subject_id = ${subjectId} and report.kind = 'reported'`
}
