import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import type { KeyAllows } from '#server/modules/accounts/access/schema.ts'

/** Returns the calling API key if it allows this; FORBIDDEN otherwise. */
export function requireKey(ctx: Ctx, allowed: KeyAllows): { keyId: string } {
  if (ctx.actor.kind !== 'key' || !ctx.actor.allows.has(allowed)) throw new DomainError('FORBIDDEN')
  return ctx.actor
}
