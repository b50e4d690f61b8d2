import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { ClaimTime, ClaimTimeInput } from '#server/modules/review/claims/schema.ts'
import { assertMayManageSettings } from '#server/modules/review/targets/set-target.ts'

/** The communities with their own claim duration, by name. Needs MANAGE_NETWORK_SETTINGS. */
export function listClaimTimes(ctx: Ctx): Promise<ClaimTime[]> {
  assertMayManageSettings(ctx)
  return query<ClaimTime>(
    ctx,
    sql`
    select k.community_id, coalesce(nullif(k.display_name, ''), k.community_id) as display_name, k.claim_minutes as minutes
    from community k where k.claim_minutes is not null and not k.is_deleted order by display_name, k.community_id`,
  )
}

/**
 * Sets how long claims last in a community. Needs MANAGE_NETWORK_SETTINGS, else FORBIDDEN; NOT_FOUND for an unknown community. A call that
 * changes nothing is neither logged nor published.
 */
export function setClaimTime(ctx: Ctx, { communityId, minutes }: ClaimTimeInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    assertMayManageSettings(ctx)
    const before = await queryOne<{ claimMinutes: number | null }>(
      ctx,
      sql`select claim_minutes from community where community_id = ${communityId} and not is_deleted for no key update`,
    )
    if (before === undefined) throw new DomainError('NOT_FOUND')
    if (before.claimMinutes === minutes) return
    await query(ctx, sql`update community set claim_minutes = ${minutes} where community_id = ${communityId}`)
    const subject = { subjectType: 'community', subjectId: communityId, communityId }
    const after = { claimMinutes: minutes }
    await recordAudit(ctx, { ...subject, action: 'community.claimTimeSet', before: { ...before }, after })
    await recordEvent(ctx, { ...subject, name: 'desk.community.didSetClaimTime', payload: {}, isDeskOnly: true })
  })
}
