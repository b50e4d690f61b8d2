import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { type NamedRow, namedAs } from '#server/modules/people/view.ts'
import type { ServiceTarget } from '#server/modules/review/targets/schema.ts'
import { assertMayManageSettings } from '#server/modules/review/targets/set-target.ts'

interface TargetRow {
  communityId: string
  displayName: string
  withinMinutes: number
  sharePercent: number
  updatedAt: Date
  updatedBy: NamedRow
}

/** All targets, by the name of their community. Needs MANAGE_NETWORK_SETTINGS. */
export async function listTargets(ctx: Ctx): Promise<ServiceTarget[]> {
  assertMayManageSettings(ctx)
  const rows = await query<TargetRow>(
    ctx,
    sql`
    select t.community_id, coalesce(nullif(k.display_name, ''), t.community_id) as display_name,
      t.within_minutes, t.share_percent, t.updated_at,
      ${namedAs(sql`t.updated_by`, sql`u`)} as updated_by
    from service_target t join community k on k.community_id = t.community_id left join network_user u on u.user_id = t.updated_by
    where not k.is_deleted order by display_name, t.community_id`,
  )
  return rows.map(({ updatedAt, updatedBy, ...target }) => ({
    ...target,
    updatedAt: timestampOf(updatedAt),
    ...present({ updatedBy }),
  }))
}
