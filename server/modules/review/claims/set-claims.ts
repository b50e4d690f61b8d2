import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables } from '#server/modules/ledger/events/record-event.ts'
import { type Claimed, USUAL_CLAIM_MINUTES } from '#server/modules/review/claims/schema.ts'
import type { ClaimedRow } from '#server/modules/review/decisions/may-decide.ts'
import { kindOf } from '#server/modules/review/queue/kinds.ts'
import type { PendingItem } from '#server/modules/review/queue/schema.ts'

interface LockedItem extends Partial<ClaimedRow> {
  subjectId: string
  communityId: string | null
  channelId?: string | null | undefined
}

interface Claiming extends Pick<PendingItem, 'subjectType' | 'kind'> {
  items: LockedItem[]
  isClaimed: boolean
}

/** Sets or removes the caller's claim on items of one type and kind, which are locked, with their log entries and events. */
export async function setClaims(
  ctx: Ctx,
  { subjectType, kind, items, isClaimed }: Claiming,
): Promise<Pick<Claimed, 'items' | 'until'>> {
  if (items.length === 0) return { items: [] }
  const to = isClaimed ? (actingUserId(ctx) ?? null) : null
  const verb = isClaimed ? 'claimed' : 'released'
  const { name: itemKind, logged, eventSuffix } = kindOf({ kind })
  const acts = items.map(({ subjectId, communityId, channelId = null, claimedBy = null }) => ({
    action: `${subjectType}.${verb}`,
    subjectType,
    subjectId,
    communityId,
    channelId,
    before: { claimedBy },
    after: { ...(logged && { [logged]: verb }), claimedBy: to },
  }))
  const name = `desk.${subjectType}.${isClaimed ? 'didClaim' : 'didRelease'}${eventSuffix}` as const
  const events = items.map(({ subjectId, communityId }) => ({
    name,
    subjectType,
    subjectId,
    communityId,
    payload: {},
    isDeskOnly: true,
  }))
  const isSet = sql`join moved on moved.subject_id = made."subjectId"`
  const rows = await query<{ subjectId: string; until: Date | null }>(
    ctx,
    sql`
    with moved as (
      update review_item i set claimed_by = ${to}, claimed_until = case when ${isClaimed} then
        ${ctx.now()}::timestamptz + make_interval(mins => coalesce(
          (select k.claim_minutes from community k where k.community_id = i.community_id), ${USUAL_CLAIM_MINUTES})) end
      where i.subject_type = ${subjectType} and i.kind = ${itemKind}
        and i.subject_id = any(${items.map(({ subjectId }) => subjectId)}::text[])
      returning i.subject_id, i.claimed_until as until),
    ${auditTables(ctx, acts, isSet)},
    ${eventTables(ctx, events, isSet)}
    select subject_id, until from moved order by subject_id`,
  )
  const until = rows[0]?.until
  return {
    items: rows.map(({ subjectId }) => ({ subjectType, subjectId })),
    ...(until && { until: until.toISOString() }),
  }
}
