import type { Ctx } from '#server/core/ctx.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { RuleRow } from '#server/modules/rules/registry/view.ts'

interface RuleAct {
  action: `rule.${string}`
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** Its name, if that is new. */
  name?: string | undefined
}

/** Logs a change to a rule, and notifies clients. The log names versions: what these say never changes once they were used. */
export async function recordRule(
  ctx: Ctx,
  { ruleId, communityId }: Pick<RuleRow, 'ruleId' | 'communityId'>,
  { name, ...act }: RuleAct,
): Promise<void> {
  const subject = { subjectType: 'rule', subjectId: ruleId, communityId }
  await recordAudit(ctx, { ...subject, ...act, text: name })
  await recordEvent(ctx, {
    ...subject,
    name: 'desk.rule.didChange',
    payload: { action: act.action },
    isDeskOnly: true,
  })
}
