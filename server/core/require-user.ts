import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'

/** The network user who makes the call, for acts that only a person can do: FORBIDDEN for an admin token. */
export function requireUser(ctx: Ctx): string {
  const userId = actingUserId(ctx)
  if (userId === undefined) throw new DomainError('FORBIDDEN')
  return userId
}
