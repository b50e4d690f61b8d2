import { createHash, randomBytes } from 'node:crypto'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { execute, type Sql, sql } from '#server/core/db.ts'
import { reporting } from '#server/modules/ledger/audit/report-rows.ts'
import {
  epochSeconds,
  jsonbOf,
  type RowContent,
  type Signature,
  signRow,
} from '#server/modules/ledger/audit/sign-row.ts'

export interface Act {
  /** What was done, as `subject.verb`: comment.approved, comment.undone, staff.signedIn. */
  action: string
  subjectType: string
  subjectId: string
  communityId?: string | null
  channelId?: string | null
  /** Ids and states only: this part is kept for ever. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** Text that people wrote, kept beside the log where it can be erased; the log keeps its salted digest. */
  text?: string | undefined
}

/** Logs who did what, signed, in the transaction of the change. The sequencer adds the row to the chain once it is committed. */
export const recordAudit = (ctx: Ctx, act: Act): Promise<void> => recordAudits(ctx, [act])

/** Logs several acts in the transaction of the change, one row for each subject; runs no query for none. */
export async function recordAudits(ctx: Ctx, acts: Act[]): Promise<void> {
  if (acts.length > 0) await execute(ctx, sql`with ${auditTables(ctx, acts)} select from act`)
}

/**
 * The part of a statement that logs acts: common table expressions that log each row of `made`, the acts with their `subjectId`, that is left
 * after `only`: a join or a condition. One row for each subject.
 */
export function auditTables(ctx: Ctx, acts: Act[], only = sql.empty): Sql {
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

/** The salted digest of a text: proves the text while it exists, and reveals nothing once it is erased. */
export function digestOfText(salt: Uint8Array, text: string): Buffer {
  return createHash('sha256').update(salt).update(text).digest()
}

/** The row for this act, and its signature. */
function signAct(ctx: Ctx, now: Date, act: Act, textDigest: Buffer | null): { row: RowContent; signature: Signature } {
  const { kind, id } = actorOf(ctx.actor)
  const row: RowContent = {
    at: epochSeconds(now),
    actorKind: kind,
    actorId: id,
    source: ctx.source,
    action: act.action,
    subjectType: act.subjectType,
    subjectId: act.subjectId,
    communityId: act.communityId ?? null,
    channelId: act.channelId ?? null,
    before: jsonbOf(act.before),
    after: jsonbOf(act.after),
    textDigest,
    requestId: ctx.requestId,
  }
  return { row, signature: signRow(ctx.auditKey, row, now) }
}

function actorOf(actor: Actor): { kind: string; id: string | null } {
  switch (actor.kind) {
    case 'user':
      return { kind: 'user', id: actor.userId }
    case 'admin':
      return { kind: 'admin', id: actor.userId ?? actor.tokenId ?? null }
    case 'key':
      return { kind: 'key', id: actor.keyId }
    case 'system':
      return { kind: 'system', id: actor.name }
    case 'nobody':
      return { kind: 'nobody', id: null }
  }
}
