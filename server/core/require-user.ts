import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'

/** The network user who acts, for what only a person does: an admin token is nobody, and FORBIDDEN. */
export function requireUser(ctx: Ctx): string {
  const userId = actingUserId(ctx)
  if (userId === undefined) throw new DomainError('FORBIDDEN')
  return userId
}
