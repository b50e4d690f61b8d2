import type { Ctx } from '#server/core/ctx.ts'
import { writeRejectionStatement } from '#server/modules/content/reviewable/removal-statements.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import type { FiredRule } from '#server/modules/rules/conditions/judge.ts'
import { asRules } from '#server/modules/rules/judging/as-rules.ts'
import { rulesOf } from '#server/modules/rules/judging/judge-content.ts'
import { publishMatch } from '#server/modules/rules/judging/publish-match.ts'

/** Logs that rules rejected a message, which is stored as deleted, and tells desks which rules did. */
export async function recordRejectedMessage(
  ctx: Ctx,
  { messageId, channelId }: { messageId: string; channelId: string },
  rejecting: FiredRule[],
): Promise<void> {
  await recordAudit(asRules(ctx), {
    action: 'message.rejected',
    subjectType: 'message',
    subjectId: messageId,
    channelId,
    after: { isDeleted: true, ...rulesOf(rejecting) },
  })
  await writeRejectionStatement(ctx, { type: 'message', subjectId: messageId, communityId: null }, rejecting)
  await publishMatch(ctx, { type: 'message', id: messageId, communityId: null }, rejecting)
}
