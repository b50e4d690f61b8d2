import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { statementTables } from '#server/modules/network/statements/write-statements.ts'

/** Part of a `with`: statements of reasons for the rows of `muted`. */
export function muteStatements(
  ctx: Ctx,
  { policyId, isAutomated = false }: { policyId: Sql; isAutomated?: boolean },
): Sql {
  return statementTables(ctx, {
    measure: 'muted',
    from: sql`muted`,
    userId: sql`muted.user_id`,
    communityId: sql`muted.community_id`,
    channelId: sql`muted.channel_id`,
    subjectType: sql`muted.subject_type`,
    subjectId: sql`muted.subject_id`,
    muteId: sql`muted.mute_id`,
    policyId,
    foundBy: isAutomated ? sql`'{rule}'` : sql`'{}'`,
    isAutomated,
  })
}
