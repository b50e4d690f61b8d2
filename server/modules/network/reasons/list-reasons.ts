import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'

/** The reasons in use, in their order: the first nine have the keys 1 to 9. For everybody at the desk. */
export async function listReasons(ctx: Ctx): Promise<RejectionReason[]> {
  const rows = await query<{ reasonId: string; label: string; textToAuthor: string | null; policyId: string | null }>(
    ctx,
    sql`
    select reason_id, label, text_to_author, policy_id
    from rejection_reason where not is_archived order by position, reason_id`,
  )
  return rows.map(({ textToAuthor, policyId, ...reason }) => ({ ...reason, ...present({ textToAuthor, policyId }) }))
}
