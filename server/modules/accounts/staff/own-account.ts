import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'

/** The caller's staff account and session. UNAUTHORIZED for anyone without. */
export function ownAccount({ actor }: Ctx): { staffId: string; sessionId: string } {
  if (!('staffId' in actor) || actor.staffId === undefined || actor.sessionId === undefined)
    throw new DomainError('UNAUTHORIZED')
  return { staffId: actor.staffId, sessionId: actor.sessionId }
}
