import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import type { ListKind } from '#server/modules/network/word-lists/schema.ts'

/** Fails with FORBIDDEN without admin MANAGE_NETWORK_SETTINGS, NOT_FOUND for a rule that is not on this list. */
export async function removeRule(ctx: Ctx, { list, ruleId }: { list: ListKind; ruleId: string }): Promise<void> {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')
  await inTransaction(ctx, async (ctx) => {
    const removed = await queryOne<{ pattern: string }>(
      ctx,
      sql`delete from list_rule where rule_id = ${ruleId} and list = ${list}::list_kind returning pattern`,
    )
    if (removed === undefined) throw new DomainError('NOT_FOUND')
    await recordAudit(ctx, {
      action: `${list}List.removed`,
      subjectType: 'network',
      subjectId: 'network',
      before: { ruleIds: [ruleId] },
      text: removed.pattern,
    })
  })
}
