import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import { type Act, signAct } from '#server/modules/ledger/audit/record-audit.ts'
import { reporting } from '#server/modules/ledger/audit/report-rows.ts'

/** Logs several acts in one statement, one row for each subject. Use `recordAudit` for acts with text. */
export async function recordAudits(ctx: Ctx, acts: Omit<Act, 'text'>[]): Promise<void> {
  await execute(ctx, sql`with ${auditsTables(ctx, acts)} select from act`)
}

/** The same as part of a statement: common table expressions that log the acts where the condition holds. */
export function auditsTables(ctx: Ctx, acts: Omit<Act, 'text'>[], where = sql.empty): Sql {
  const now = ctx.now()
  const rows = acts.map((act) => {
    const { row, signature } = signAct(ctx, now, act, null)
    const { nonce, mac } = signature
    return { ...row, nonce: Buffer.from(nonce).toString('hex'), mac: Buffer.from(mac).toString('hex') }
  })
  return sql`
    act as (
      insert into audit (at, actor_kind, actor_id, source, action, subject_type, subject_id, community_id, channel_id, before, after,
        request_id, nonce, mac)
      select ${now}, act."actorKind", act."actorId", ${ctx.source}::source, act.action, act."subjectType", act."subjectId",
        act."communityId", act."channelId", act.before::jsonb, act.after::jsonb, act."requestId", decode(act.nonce, 'hex'),
        decode(act.mac, 'hex')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as act(
        "actorKind" text, "actorId" text, action text, "subjectType" text, "subjectId" text, "communityId" text, "channelId" text,
        before text, after text, "requestId" text, nonce text, mac text) ${where}
      returning *)${reporting(acts)}`
}
