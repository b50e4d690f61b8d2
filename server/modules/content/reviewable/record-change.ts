import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'
import { type Act, auditTables, recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables, type NewEvent } from '#server/modules/ledger/events/record-event.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import { asRules } from '#server/modules/rules/judging/as-rules.ts'
import { type Judgement, rulesOf } from '#server/modules/rules/judging/judge-content.ts'

/** Logs an edit, and renews the report on the content where it is flagged. */
export async function recordEdit(
  ctx: Ctx,
  type: Reviewable['type'],
  { subjectId, communityId, version, flagCount }: LockedContent,
): Promise<void> {
  if (flagCount > 0) await keepReports(ctx, type, [subjectId])
  await recordAudit(ctx, {
    action: `${type}.edited`,
    subjectType: type,
    subjectId,
    communityId,
    before: { version },
    after: { version: version + 1 },
  })
}

/** Logs that what was public is held for review again. */
export function recordHold(
  ctx: Ctx,
  type: Reviewable['type'],
  { subjectId, communityId, version }: LockedContent,
  { before, after }: Pick<Act, 'before' | 'after'>,
): Promise<void> {
  return recordAudit(ctx, {
    action: `${type}.held`,
    subjectType: type,
    subjectId,
    communityId,
    ...(before && { before }),
    after: { ...after, version: version + 1 },
  })
}

/** Logs that rules rejected it; `version` is the one that it has afterwards. */
export async function recordRejection(
  ctx: Ctx,
  type: Reviewable['type'],
  { subjectId, communityId, version }: Pick<LockedContent, 'subjectId' | 'communityId' | 'version'>,
  { before, after, judgement }: { before: Act['before']; after: Record<string, unknown>; judgement: Judgement },
): Promise<void> {
  const byRules = asRules(ctx)
  const act: Act = {
    action: `${type}.rejected`,
    subjectType: type,
    subjectId,
    communityId,
    ...(before && { before }),
    after: { ...after, version, ...rulesOf(judgement.rejecting) },
  }
  await execute(byRules, sql`with ${auditTables(byRules, [act])} select from act`)
}

/** Logs and publishes a deletion in one statement; `state` is the review state it had. */
export async function recordDeletion(
  ctx: Ctx,
  type: Reviewable['type'],
  { subjectId, communityId, version }: LockedContent,
  { isPermanent, state, event }: { isPermanent: boolean; state: Record<string, string>; event: NewEvent },
): Promise<void> {
  const act: Act = {
    action: `${type}.${isPermanent ? 'erased' : 'deleted'}`,
    subjectType: type,
    subjectId,
    communityId,
    before: { ...state, version },
    after: { isDeleted: true },
  }
  await execute(
    ctx,
    sql`
    with ${auditTables(ctx, [act])}, ${eventTables(ctx, [event])} select from stored_event`,
  )
}
