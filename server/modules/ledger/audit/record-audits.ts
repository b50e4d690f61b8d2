import { randomBytes } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import { type Act, auditTables, digestOfText, signAct } from '#server/modules/ledger/audit/record-audit.ts'
import { reporting } from '#server/modules/ledger/audit/report-rows.ts'

/** Logs several acts in one statement, one row for each subject. */
export async function recordAudits(ctx: Ctx, acts: Act[]): Promise<void> {
  await execute(ctx, sql`with ${auditsTables(ctx, acts)} select from act`)
}

/**
 * The same as part of a statement: common table expressions that log each row of `made`, the acts with their `subjectId`, that is left after
 * `only`: a join or a condition.
 */
export function auditsTables(ctx: Ctx, acts: Act[], only = sql.empty): Sql {
  const now = ctx.now()
  const made = acts.map((act) => {
    const salt = act.text === undefined ? null : randomBytes(16)
    const digest = salt && digestOfText(salt, act.text ?? '')
    const { row, signature } = signAct(ctx, now, act, digest)
    return {
      ...row,
      textDigest: hexOf(digest),
      nonce: hexOf(signature.nonce),
      mac: hexOf(signature.mac),
      ...(salt && { salt: hexOf(salt), text: act.text }),
    }
  })
  return sql`
    act as (
      insert into audit (at, actor_kind, actor_id, source, action, subject_type, subject_id, community_id, channel_id, before, after,
        text_digest, request_id, nonce, mac)
      select ${now}, made."actorKind", made."actorId", ${ctx.source}::source, made.action, made."subjectType", made."subjectId",
        made."communityId", made."channelId", made.before::jsonb, made.after::jsonb, decode(made."textDigest", 'hex'), made."requestId",
        decode(made.nonce, 'hex'), decode(made.mac, 'hex')
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as made(
        "actorKind" text, "actorId" text, action text, "subjectType" text, "subjectId" text, "communityId" text, "channelId" text,
        before text, after text, "textDigest" text, "requestId" text, nonce text, mac text) ${only}
      returning *)${reporting(acts)}${wordsTable(made.filter(({ text }) => text !== undefined))}`
}

/** The same for acts that all have one condition: one act takes less as the only row. */
export function auditsTablesIf(ctx: Ctx, acts: Act[], condition: Sql): Sql {
  const [act, ...others] = acts
  const only = sql`where ${condition}`
  return act === undefined || others.length > 0 ? auditsTables(ctx, acts, only) : auditTables(ctx, act, only)
}

interface Words {
  nonce: string | null
  salt?: string | null
  text?: string | undefined
}

function wordsTable(words: Words[]): Sql {
  if (words.length === 0) return sql.empty
  const rows = words.map(({ nonce, salt, text }) => ({ nonce, salt, text }))
  return sql`,
    words as (
      insert into audit_text (audit_id, salt, text)
      select act.audit_id, decode(written.salt, 'hex'), written.text
      from act join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as written(nonce text, salt text, text text)
        on decode(written.nonce, 'hex') = act.nonce)`
}

function hexOf(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString('hex')
}
