import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { ModerationSettings, ModerationSettingsChange } from '#server/modules/network/settings/schema.ts'

/**
 * docs/interface/network-settings.md#moderation. FORBIDDEN without admin MANAGE_NETWORK_SETTINGS. A call that changes nothing is neither
 * logged nor published.
 */
export async function updateModerationSettings(
  ctx: Ctx,
  change: ModerationSettingsChange,
): Promise<ModerationSettings> {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')
  return inTransaction(ctx, async (ctx) => {
    const before = await lockSettings(ctx)
    const after = {
      isWhitelistEnabled: change.isWhitelistEnabled ?? before.isWhitelistEnabled,
      isReportEnabled: change.isReportEnabled ?? before.isReportEnabled,
    }
    if (after.isWhitelistEnabled === before.isWhitelistEnabled && after.isReportEnabled === before.isReportEnabled) {
      return before
    }
    await execute(
      ctx,
      sql`
      update network_settings set is_whitelist_enabled = ${after.isWhitelistEnabled}, is_report_enabled = ${after.isReportEnabled},
        updated_at = ${ctx.now()}, updated_by = ${actingUserId(ctx) ?? actorName(ctx)} where id = 1`,
    )
    const subject = { subjectType: 'network', subjectId: 'network' }
    await recordAudit(ctx, { ...subject, action: 'network.moderationUpdated', before: { ...before }, after })
    await recordEvent(ctx, { ...subject, name: 'network.moderationDidUpdate', payload: after })
    return after
  })
}

/** The only row, created by the first migration. */
async function lockSettings(ctx: Ctx): Promise<ModerationSettings> {
  const [settings] = await query<ModerationSettings>(
    ctx,
    sql`
    select is_whitelist_enabled, is_report_enabled from network_settings where id = 1 for update`,
  )
  if (settings === undefined) throw new Error('the network has no settings')
  return settings
}
