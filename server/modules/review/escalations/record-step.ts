import type { Ctx } from '#server/core/ctx.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

interface Step {
  act: string
  event: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  text?: string
}

/** Logs and publishes a step of an escalation. */
export async function recordStep(
  ctx: Ctx,
  {
    subjectType,
    subjectId,
    communityId,
    channelId,
  }: Subject & { communityId: string | null; channelId?: string | null },
  { act, event, ...entry }: Step,
): Promise<void> {
  const subject = { subjectType, subjectId, communityId, channelId }
  await recordAudit(ctx, { ...subject, ...entry, action: `${subjectType}.${act}` })
  await recordEvent(ctx, { ...subject, name: `desk.${subjectType}.${event}`, payload: {}, isDeskOnly: true })
}
