import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { kindOf } from '#server/modules/review/queue/kinds.ts'
import type { PendingItem } from '#server/modules/review/queue/schema.ts'

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
    kind,
  }: PendingItem & { communityId: string | null; channelId?: string | null | undefined },
  { act, event, after, ...entry }: Step,
): Promise<void> {
  const subject = { subjectType, subjectId, communityId, channelId }
  const { logged, eventSuffix } = kindOf({ kind })
  const changed = logged ? { [logged]: act, ...after } : after
  await recordAudit(ctx, { ...subject, ...entry, ...(changed && { after: changed }), action: `${subjectType}.${act}` })
  const name = `desk.${subjectType}.${event}${eventSuffix}` as const
  await recordEvent(ctx, { ...subject, name, payload: { by: actingUserId(ctx) ?? null }, isDeskOnly: true })
}
