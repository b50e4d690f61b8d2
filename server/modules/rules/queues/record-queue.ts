import type { Ctx } from '#server/core/ctx.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'

interface QueueAct {
  action: `namedQueue.${string}`
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** Its name, if that is new or lost. */
  name?: string | undefined
}

/** Logs a change to a queue, and notifies clients. */
export async function recordNamedQueue(
  ctx: Ctx,
  { queueId, communityId = null }: { queueId: string; communityId?: string | null | undefined },
  { name, ...act }: QueueAct,
): Promise<void> {
  const subject = { subjectType: 'namedQueue', subjectId: queueId, communityId }
  await recordAudit(ctx, { ...subject, ...act, text: name })
  await recordEvent(ctx, { ...subject, name: 'desk.namedQueue.didChange', payload: {}, isDeskOnly: true })
}
