import { createHash, randomBytes } from 'node:crypto'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { reporting } from '#server/modules/audit/report-rows.ts'

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
  /** Words of people, kept beside the log where they can be erased; the log keeps their salted digest. */
  text?: string | undefined
}

/** Writes who did what, in the transaction of the change. The sealer chains the row once it is committed. */
export async function recordAudit(ctx: Ctx, act: Act): Promise<void> {
  const { kind, id } = actorOf(ctx.actor)
  const salt = act.text === undefined ? null : randomBytes(16)
  const digest =
    salt &&
    createHash('sha256')
      .update(salt)
      .update(act.text ?? '')
      .digest()

  await queryOne(
    ctx,
    Prisma.sql`
    with act as (
      insert into audit (at, actor_kind, actor_id, door, action, subject_type, subject_id, community_id, channel_id, before, after,
        text_digest, request_id)
      values (${ctx.now()}, ${kind}, ${id}, ${ctx.door}::door, ${act.action}, ${act.subjectType}, ${act.subjectId},
        ${act.communityId ?? null}, ${act.channelId ?? null}, ${json(act.before)}::jsonb, ${json(act.after)}::jsonb,
        ${digest}, ${ctx.requestId})
      returning *)${reporting([act])},
    words as (
      insert into audit_text (audit_id, salt, text) select audit_id, ${salt}, ${act.text ?? null} from act where ${salt !== null})
    select 1 as recorded from act`,
  )
}

export function actorOf(actor: Actor): { kind: string; id: string | null } {
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

function json(value: Record<string, unknown> | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
