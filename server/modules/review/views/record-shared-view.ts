import type { Ctx } from '#server/core/ctx.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { ViewRow } from '#server/modules/review/views/view.ts'

/** Logs a change to a shared view and notifies clients; changes to personal views are not logged. */
export async function recordSharedView(
  ctx: Ctx,
  action: `view.${string}`,
  { viewId, name, isShared, isDefault }: Pick<ViewRow, 'viewId' | 'name' | 'isShared' | 'isDefault'>,
): Promise<void> {
  if (!isShared) return
  const subject = { subjectType: 'view', subjectId: viewId }
  await recordAudit(ctx, { ...subject, action, after: { isDefault }, text: name })
  await recordEvent(ctx, { ...subject, name: 'desk.views.didChange', payload: {}, isDeskOnly: true })
}
