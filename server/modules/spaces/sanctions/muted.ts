import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { LONGEST_MUTE_MS } from '#server/core/mute-period.ts'

/** Until when the member of this row is muted, as an SQL expression: null if they aren't. */
export function mutedUntil(ctx: Ctx, memberRow: Sql): Sql {
  return sql`case when ${memberRow}.mute_timeout > ${ctx.now()} then ${memberRow}.mute_timeout end`
}

/** Fails with MUTED for someone who is; the details say until when, if their mute has an end. */
export function assertNotMuted(ctx: Ctx, mutedUntil: Date | null): void {
  if (mutedUntil === null) return
  throw new DomainError('MUTED', isEndless(ctx, mutedUntil) ? undefined : { mutedUntil: mutedUntil.toISOString() })
}

/** A mute without an end is stored as one of a hundred years. */
export function isEndless(ctx: Pick<Ctx, 'now'>, muteTimeout: Date): boolean {
  return muteTimeout.getTime() > ctx.now().getTime() + LONGEST_MUTE_MS / 2
}
