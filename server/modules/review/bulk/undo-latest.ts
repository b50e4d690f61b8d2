import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import type { UndoneLatest } from '#server/modules/review/bulk/schema.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'

/** Longer than any decision is held back: bounds the index range that is read. */
const LOOK_BACK_MS = 3_600_000

/**
 * Undoes the caller's latest decision that isn't published yet, wherever they made it: another tab or device. If it belongs to a bulk
 * action, undoes all of that; skips bulk actions that are being undone. Undefined if there is nothing to undo. Fails with CHANGED if the
 * item has changed since.
 */
export async function undoLatest(ctx: Ctx): Promise<UndoneLatest | undefined> {
  const latest = await readLatest(ctx)
  if (latest === undefined) return undefined
  const { decisionId, bulkId } = latest
  if (bulkId !== null) return { bulk: await undoBulk(ctx, { bulkId }) }
  return { item: await undoDecision(ctx, { decisionId }), authorName: nameOf(latest) }
}

/** Uses decision_decided_by_decided_at_idx. */
function readLatest(ctx: Ctx) {
  return queryOne<{ decisionId: string; bulkId: string | null; userId: string; displayName: string | null }>(
    ctx,
    sql`
    select d.decision_id::text as decision_id, d.bulk_id, d.author_id as user_id, u.display_name
    from decision d join event e on e.event_id = d.event_id
    left join bulk b on b.bulk_id = d.bulk_id
    left join network_user u on u.user_id = d.author_id
    where d.decided_by = ${actingUserId(ctx) ?? null} and d.decided_at > ${new Date(ctx.now().getTime() - LOOK_BACK_MS)}
      and d.undone_at is null and b.undone_at is null and e.state = 'held' and e.releases_at > ${ctx.now()}
    order by d.decided_at desc, d.decision_id desc limit 1`,
  )
}
