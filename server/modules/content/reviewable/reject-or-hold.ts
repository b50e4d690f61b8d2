import type { Ctx } from '#server/core/ctx.ts'
import type { ContentKind } from '#server/modules/content/reviewable/content-kind.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { publishHold } from '#server/modules/content/reviewable/publish-hold.ts'
import { writeRejectionStatement } from '#server/modules/content/reviewable/removal-statements.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import { asRules } from '#server/modules/rules/judging/as-rules.ts'
import { holdersOf, isHeldBy, type Judgement, rulesOf } from '#server/modules/rules/judging/judge-content.ts'
import { publishMatch } from '#server/modules/rules/judging/publish-match.ts'

interface Judged {
  judgement: Judgement
  /** Gives its row the next version. */
  write: () => Promise<void>
}

/**
 * Rejects public or pending content, or makes public content wait for review again, as live rules and its author's treatment say. Returns false,
 * and writes nothing, where they say neither.
 */
export async function rejectOrHold<Locked extends LockedContent>(
  ctx: Ctx,
  kind: ContentKind<Locked, unknown>,
  content: Locked,
  judged: Judged,
): Promise<boolean> {
  if (judged.judgement.rejecting.length > 0) await reject(ctx, kind, content, judged)
  else if (content.isPublic && isHeldBy(judged.judgement)) await hold(ctx, kind, content, judged)
  else return false
  return true
}

/** Others learn of it as of a rejection by people. */
async function reject<Locked extends LockedContent>(
  ctx: Ctx,
  kind: ContentKind<Locked, unknown>,
  content: Locked,
  { judgement, write }: Judged,
): Promise<void> {
  const flagged = await kind.move(ctx, content, 'rejected')
  await write()
  if (flagged.length > 0) await keepReports(ctx, kind.type, flagged)
  const rejected = { ...content, version: content.version + 1 }
  await recordRejection(ctx, kind, rejected, { judgement, before: kind.stateOf(content) })
}

/** Others learn that it is gone, with its text before that; desks learn that it is held. */
async function hold<Locked extends LockedContent>(
  ctx: Ctx,
  kind: ContentKind<Locked, unknown>,
  content: Locked,
  { judgement, write }: Judged,
): Promise<void> {
  const { type } = kind
  const { subjectId, communityId, version } = content
  const gone = await kind.eventOf(ctx, content, { name: `v3.${type}.didDelete`, deskName: `desk.${type}.didHold` })
  await kind.move(ctx, content, 'held')
  await write()
  await recordAudit(ctx, {
    action: `${type}.held`,
    subjectType: type,
    subjectId,
    communityId,
    before: kind.stateOf(content) ?? {},
    after: { ...kind.states.held, ...holdersOf(judgement), version: version + 1 },
  })
  await recordEvent(ctx, gone)
  await publishHold(ctx, type, content, judgement)
}

interface Rejection {
  judgement: Judgement
  before?: Record<string, unknown> | undefined
  /** As everyone sees it, if that has been read already. */
  payload?: object | undefined
}

/** Logs and publishes that rules rejected content, which is stored as such; `version` is the one that it has afterwards. */
export async function recordRejection(
  ctx: Ctx,
  { type, states, rejectedEvent, eventOf }: ContentKind<LockedContent, unknown>,
  { subjectId, communityId, version }: Pick<LockedContent, 'subjectId' | 'communityId' | 'version'>,
  { judgement: { rejecting }, before, payload }: Rejection,
): Promise<void> {
  await recordAudit(asRules(ctx), {
    action: `${type}.rejected`,
    subjectType: type,
    subjectId,
    communityId,
    ...(before && { before }),
    after: { ...states.rejected, version, ...rulesOf(rejecting) },
  })
  await writeRejectionStatement(ctx, { type, subjectId, communityId }, rejecting)
  const change = { name: rejectedEvent, deskName: `desk.${type}.didWithdraw`, payload } as const
  await recordEvent(ctx, await eventOf(ctx, { subjectId, communityId, isPublic: true }, change))
  await publishMatch(ctx, { type, id: subjectId, communityId }, rejecting)
}
