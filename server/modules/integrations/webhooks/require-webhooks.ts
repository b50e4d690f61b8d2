import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'

/**
 * Endpoints hear of everything, private places and conversations too, and their secrets are credentials: they are for those who
 * manage credentials (decision 90).
 */
export function requireWebhooks(ctx: Ctx): void {
  if (!holds(ctx, 'MANAGE_CREDENTIALS')) throw new DomainError('FORBIDDEN')
}
