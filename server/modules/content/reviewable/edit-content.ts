import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, type Sql, sql } from '#server/core/db.ts'
import { flagByRules } from '#server/modules/content/flags/flag.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import type { ContentKind } from '#server/modules/content/reviewable/content-kind.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { rejectOrHold } from '#server/modules/content/reviewable/reject-or-hold.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import { SUBJECTS } from '#server/modules/ledger/reports/subjects.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import {
  type Judgement,
  judgeContent,
  type NewContent,
  recordMatches,
  UNJUDGED,
} from '#server/modules/rules/judging/judge-content.ts'
import { muteAuthor } from '#server/modules/rules/judging/mute-author.ts'
import { withTreatment } from '#server/modules/rules/judging/with-treatment.ts'

/** Content as it becomes. */
interface Edited {
  /** Null for what rules don't judge. */
  judged: Pick<NewContent, 'data' | 'mentions' | 'media'> | null
  /** Its columns. */
  set: Sql
}

/** How one kind of content is edited. */
export interface EditedKind<Edit, Locked extends LockedContent, Answer> extends ContentKind<Locked, Answer> {
  /** Whether reviewers edit it, not its author or an app for them. */
  isByReviewer?: boolean
  /** Fails unless the caller may edit it as it is now. */
  authorizeEdit(ctx: Ctx, content: Locked): Promise<void>
  /** What the word lists check. */
  textsOf(edit: Edit): unknown[]
  merge(ctx: Ctx, content: Locked, edit: Edit): Promise<Edited>
  /** What desks learn of an edit of what is held, beside its id. */
  atDesk?(judgement: Judgement): object
}

/** Lock → authorize → judge → change → reject, hold or publish → log what rules found → answer. */
export function editContent<Edit, Locked extends LockedContent, Answer>(
  ctx: Ctx,
  kind: EditedKind<Edit, Locked, Answer>,
  id: string,
  edit: Edit,
): Promise<Answer> {
  const { type, flaggable } = kind
  return inTransaction(ctx, async (ctx) => {
    const content = await flaggable.lock(ctx, id)
    await kind.authorizeEdit(ctx, content)
    await assertTextAllowed(ctx, kind.textsOf(edit))

    const { judged, set } = await kind.merge(ctx, content, edit)
    const judgement = await judgeEdit(ctx, type, content, judged)
    const write = () => storeEdit(ctx, kind, content, set)
    if (!(await rejectOrHold(ctx, kind, content, { judgement, write }))) {
      await write()
      const atDesk = kind.atDesk?.(judgement) ?? {}
      const change = { name: `v3.${type}.didUpdate`, deskName: `desk.${type}.didEdit`, atDesk } as const
      await recordEvent(ctx, await kind.eventOf(ctx, content, change))
      if (content.isPublic) await flagByRules(ctx, flaggable, { id, rules: judgement.flagging })
    }
    await recordMatches(ctx, { kind: type, subjectId: id }, judgement)
    await putItems(ctx, type, [id])
    await muteAuthor(ctx, { kind: type, ...content }, judgement)
    return flaggable.answer(ctx, [id])
  })
}

/**
 * What rules and the author's treatment say of content as its author is about to change it: rules by the author as they were when they wrote it. Rules don't
 * judge what a reviewer of the community writes, nor what others change in it.
 */
async function judgeEdit(
  ctx: Ctx,
  kind: Reviewable['type'],
  { isOwn, mayReview, communityId, rules, treatment, authorId, subjectId, createdAt }: LockedContent,
  judged: Edited['judged'],
): Promise<Judgement> {
  if (!isOwn || judged === null) return UNJUDGED
  if (mayReview) return withTreatment(UNJUDGED, treatment)
  const content = { ...judged, kind, communityId, rules, authorId, subjectId, writtenAt: createdAt }
  return withTreatment(await judgeContent(ctx, content), treatment)
}

/** Stores an edit as the next version; logs it, and renews the report on the content where it is flagged. */
async function storeEdit(
  ctx: Ctx,
  { type, isByReviewer = false }: Pick<EditedKind<never, never, never>, 'type' | 'isByReviewer'>,
  { subjectId, communityId, version, flagCount }: LockedContent,
  set: Sql,
): Promise<void> {
  const { table, id } = SUBJECTS[type]
  await execute(
    ctx,
    sql`
    update ${table} set ${set}, version = version + 1, edited_at = ${ctx.now()}, updated_at = ${ctx.now()},
      edited_by = ${isByReviewer ? (actingUserId(ctx) ?? actorName(ctx)) : null}
    where ${id} = ${subjectId} and version = ${version}`,
  )
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
