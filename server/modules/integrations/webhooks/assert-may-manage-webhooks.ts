import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'

/**
 * Endpoints receive everything, including private spaces and conversations, and their secrets are credentials: only callers who
 * manage credentials have access (decision 90).
 */
export function assertMayManageWebhooks(ctx: Ctx): void {
  if (!holds(ctx, 'MANAGE_CREDENTIALS')) throw new DomainError('FORBIDDEN')
}
