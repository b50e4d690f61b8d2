import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { readLastChanges } from '#server/modules/ledger/audit/read-last-changes.ts'
import { readModerationSettings } from '#server/modules/network/settings/read-settings.ts'
import type { ModerationFlags } from '#server/modules/network/settings/schema.ts'

/** The moderation flags, each with who changed it last. Fails with FORBIDDEN without admin MANAGE_NETWORK_SETTINGS. */
export async function readFlags(ctx: Ctx): Promise<ModerationFlags> {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')
  const [settings, changes] = await Promise.all([
    readModerationSettings(ctx),
    readLastChanges(ctx, {
      subjectType: 'network',
      subjectId: 'network',
      action: 'network.moderationUpdated',
      fields: ['isWhitelistEnabled', 'isReportEnabled'],
    }),
  ])
  return { settings, changes }
}
