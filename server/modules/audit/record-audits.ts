import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { type Act, actorOf } from '#server/modules/audit/record-audit.ts'
import { reporting } from '#server/modules/audit/report-rows.ts'

/** Writes several acts in one statement: what was done to many is one row each. Words of people are for `recordAudit`. */
export async function recordAudits(ctx: Ctx, acts: Omit<Act, 'text'>[]): Promise<void> {
  const { kind, id } = actorOf(ctx.actor)
  await query(
    ctx,
    Prisma.sql`
    with act as (
      insert into audit (at, actor_kind, actor_id, door, action, subject_type, subject_id, community_id, channel_id, before, after, request_id)
      select ${ctx.now()}, ${kind}, ${id}, ${ctx.door}::door, act.action, act."subjectType", act."subjectId", act."communityId",
        act."channelId", act.before, act.after, ${ctx.requestId}
      from jsonb_to_recordset(${JSON.stringify(acts)}::jsonb) as act(
        action text, "subjectType" text, "subjectId" text, "communityId" text, "channelId" text, before jsonb, after jsonb)
      returning *)${reporting(acts)}
    select 1 as recorded from act`,
  )
}
