import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { NoTargetInput, TargetInput } from '#server/modules/review/targets/schema.ts'

type Fields = Pick<TargetInput, 'withinMinutes' | 'sharePercent'>

/**
 * Sets or replaces the target of a community. Needs MANAGE_NETWORK_SETTINGS, else FORBIDDEN; NOT_FOUND for an unknown
 * community. A call that changes nothing is neither logged nor published.
 */
export function setTarget(ctx: Ctx, { communityId, ...target }: TargetInput): Promise<void> {
  assertMayManageSettings(ctx)
  return inTransaction(ctx, async (ctx) => {
    const before = await lockTarget(ctx, communityId)
    if (before?.withinMinutes === target.withinMinutes && before.sharePercent === target.sharePercent) return
    await execute(
      ctx,
      sql`
      insert into service_target (community_id, within_minutes, share_percent, updated_by, updated_at)
      values (${communityId}, ${target.withinMinutes}, ${target.sharePercent}, ${actingUserId(ctx) ?? actorName(ctx)}, ${ctx.now()})
      on conflict (community_id) do update set within_minutes = excluded.within_minutes, share_percent = excluded.share_percent,
        updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
    )
    await recordChange(ctx, { communityId, before, after: target })
  })
}

/** Removes the target of a community. Fails as `setTarget` does, and with NOT_FOUND if it has none. */
export function removeTarget(ctx: Ctx, { communityId }: NoTargetInput): Promise<void> {
  assertMayManageSettings(ctx)
  return inTransaction(ctx, async (ctx) => {
    const before = await lockTarget(ctx, communityId)
    if (before === undefined) throw new DomainError('NOT_FOUND')
    await execute(ctx, sql`delete from service_target where community_id = ${communityId}`)
    await recordChange(ctx, { communityId, before, after: undefined })
  })
}

export function assertMayManageSettings(ctx: Ctx): void {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')
}

/** The lock on the community protects its target too, even before there is one. */
async function lockTarget(ctx: Ctx, communityId: string): Promise<Fields | undefined> {
  const space = await queryOne<{ [Name in keyof Fields]: number | null }>(
    ctx,
    sql`
    select t.within_minutes, t.share_percent
    from community k left join service_target t on t.community_id = k.community_id
    where k.community_id = ${communityId} and not k.is_deleted for update of k`,
  )
  if (space === undefined) throw new DomainError('NOT_FOUND')
  const { withinMinutes, sharePercent } = space
  return withinMinutes === null || sharePercent === null ? undefined : { withinMinutes, sharePercent }
}

async function recordChange(
  ctx: Ctx,
  { communityId, before, after }: { communityId: string; before: Fields | undefined; after: Fields | undefined },
): Promise<void> {
  const subject = { subjectType: 'community', subjectId: communityId, communityId }
  await recordAudit(ctx, {
    ...subject,
    action: `community.${after === undefined ? 'targetRemoved' : 'targetSet'}`,
    ...(before && { before: { ...before } }),
    ...(after && { after: { ...after } }),
  })
  await recordEvent(ctx, { ...subject, name: 'desk.community.didSetTarget', payload: {}, isDeskOnly: true })
}
