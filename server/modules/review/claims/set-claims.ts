import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { auditsTables } from '#server/modules/ledger/audit/record-audits.ts'
import { eventsTables } from '#server/modules/ledger/events/record-event.ts'
import { type Claimed, USUAL_CLAIM_MINUTES } from '#server/modules/review/claims/schema.ts'
import type { ClaimedRow } from '#server/modules/review/decisions/may-decide.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

interface LockedItem extends Partial<ClaimedRow> {
  subjectId: string
  communityId: string | null
  channelId?: string | null
}

interface Claiming {
  subjectType: Subject['subjectType']
  items: LockedItem[]
  isClaimed: boolean
  isReport?: boolean | undefined
}

/** Sets or removes the caller's claim on items of one type, or on their reports, whose rows are locked, with their log entries and events. */
export async function setClaims(
  ctx: Ctx,
  { subjectType, items, isClaimed, isReport = false }: Claiming,
): Promise<Pick<Claimed, 'items' | 'until'>> {
  if (items.length === 0) return { items: [] }
  const to = isClaimed ? (actingUserId(ctx) ?? null) : null
  const { table, id, isOfType } = tableOf(subjectType, isReport)
  const verb = isClaimed ? 'claimed' : 'released'
  const acts = items.map(({ subjectId, communityId, channelId = null, claimedBy = null }) => ({
    action: `${subjectType}.${verb}`,
    subjectType,
    subjectId,
    communityId,
    channelId,
    before: { claimedBy },
    after: { ...(isReport && { report: verb }), claimedBy: to },
  }))
  const events = items.map(({ subjectId, communityId }) => ({ subjectId, communityId, payload: {} }))
  const name = `desk.${subjectType}.${isClaimed ? 'didClaim' : 'didRelease'}${isReport ? 'Report' : ''}` as const
  const isSet = sql`join moved on moved.subject_id = made."subjectId"`
  const rows = await query<{ subjectId: string; until: Date | null }>(
    ctx,
    sql`
    with moved as (
      update ${table} t set claimed_by = ${to}, claimed_until = case when ${isClaimed} then
        ${ctx.now()}::timestamptz + make_interval(mins => coalesce(
          (select k.claim_minutes from community k where k.community_id = t.community_id), ${USUAL_CLAIM_MINUTES})) end
      where ${isOfType} and ${id} = any(${items.map(({ subjectId }) => subjectId)}::text[])
      returning ${id} as subject_id, t.claimed_until as until),
    ${auditsTables(ctx, acts, isSet)},
    ${eventsTables(ctx, events, { name, subjectType, isDeskOnly: true }, isSet)}
    select subject_id, until from moved order by subject_id`,
  )
  if (!isReport)
    await putItems(
      ctx,
      subjectType,
      rows.map(({ subjectId }) => subjectId),
    )
  const until = rows[0]?.until
  return {
    items: rows.map(({ subjectId }) => ({ subjectType, subjectId })),
    ...(until && { until: until.toISOString() }),
  }
}

function tableOf(subjectType: Subject['subjectType'], isReport: boolean) {
  if (isReport)
    return {
      table: sql`review_item`,
      id: sql`t.subject_id`,
      isOfType: sql`t.subject_type = ${subjectType} and t.kind = 'reported'`,
    }
  const [table, id] = subjectType === 'post' ? [sql`post`, sql`t.post_id`] : [sql`comment`, sql`t.comment_id`]
  return { table, id, isOfType: sql`true` }
}
