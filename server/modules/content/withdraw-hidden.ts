import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { SUBJECTS } from '#server/modules/ledger/reports/subjects.ts'

interface Hidden {
  subjectId: string
  isOwn: boolean
  communityId?: string | null
  channelId?: string | null
}

/** For an update that deletes content: whether its author does, after which nothing makes it visible again. */
export function withdrawnIf(ctx: Ctx, isOwn: boolean): Sql {
  return sql`withdrawn_at = case when ${isOwn}::boolean then ${ctx.now()}::timestamptz else withdrawn_at end`
}

/**
 * Notes, of locked content that moderation has hidden, that its author deletes it too: neither undoing nor reversing what hid it makes it visible again.
 * Changes nothing for others, or the second time. Nobody saw it, so no event is published.
 */
export async function withdrawHidden(
  ctx: Ctx,
  type: 'comment' | 'post' | 'message',
  { subjectId, isOwn, communityId = null, channelId = null }: Hidden,
): Promise<void> {
  if (!isOwn) return
  const { table, id } = SUBJECTS[type]
  // Messages have no versions.
  const next = type === 'message' ? sql.empty : sql`, version = version + 1`
  const withdrawn = await queryOne(
    ctx,
    sql`
    update ${table} set withdrawn_at = ${ctx.now()}, updated_at = ${ctx.now()} ${next}
    where ${id} = ${subjectId} and is_deleted and withdrawn_at is null returning 1`,
  )
  if (withdrawn === undefined) return
  await putItems(ctx, type, [subjectId])
  const subject = { subjectType: type, subjectId, communityId, channelId }
  await recordAudit(ctx, { ...subject, action: `${type}.deleted`, after: { isDeleted: true } })
}
