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
export async function recordAudit(ctx: Ctx, act: Act): Promise<void> {
  await execute(ctx, sql`with ${auditTables(ctx, act)} select from act`)
}

/** The same as part of a statement: common table expressions that log the act for the row of `from`, if there is one. */
export function auditTables(ctx: Ctx, act: Act, from = sql.empty): Sql {
  const now = ctx.now()
  const salt = act.text === undefined ? null : randomBytes(16)
  const digest = salt && digestOfText(salt, act.text ?? '')
  const { row, signature } = signAct(ctx, now, act, digest)
  const words = sql`,
    words as (insert into audit_text (audit_id, salt, text) select audit_id, ${salt}, ${act.text ?? null} from act)`
  return sql`
    act as (
      insert into audit (at, actor_kind, actor_id, source, action, subject_type, subject_id, community_id, channel_id, before, after,
        text_digest, request_id, nonce, mac)
      select ${now}, ${row.actorKind}, ${row.actorId}, ${ctx.source}::source, ${row.action}, ${row.subjectType}, ${row.subjectId},
        ${row.communityId}, ${row.channelId}, ${row.before}::jsonb, ${row.after}::jsonb, ${digest}, ${row.requestId},
        ${signature.nonce}, ${signature.mac} ${from}
      returning *)${reporting([act])}${salt === null ? sql.empty : words}`
}

/** The salted digest of a text: proves the text while it exists, and reveals nothing once it is erased. */
export function digestOfText(salt: Uint8Array, text: string): Buffer {
  return createHash('sha256').update(salt).update(text).digest()
}

/** The row for this act, and its signature. */
export function signAct(
  ctx: Ctx,
  now: Date,
  act: Act,
  textDigest: Buffer | null,
): { row: RowContent; signature: Signature } {
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
