import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query, queryOne } from '#server/core/db.ts'
import type { LiveEvent } from '#server/modules/live/schema.ts'

const EVENTS_A_READ = 1_000

/** What desks are told beside what is recorded for them alone: what becomes of the things they show. */
const ALSO_TOLD = [
  'v3.comment.didApprove',
  'v3.comment.didDelete',
  'v3.comment.didFlag',
  'v3.comment.didUnflag',
  'v3.comment.didClearFlag',
  'v3.post.didApprove',
  'v3.post.didDecline',
  'v3.post.didDelete',
  'v3.post.didFlag',
  'v3.post.didUnflag',
  'v3.post.didClearFlag',
  'v3.community.didUpdate',
]

export type NumberedEvent = LiveEvent & { seq: number }

/** The number of the last event that has one; 0 where there is none. Uses event_seq_key. */
export async function readPosition(ctx: Ctx): Promise<number> {
  const last = await queryOne<{ seq: number }>(ctx, Prisma.sql`select coalesce(max(seq), 0)::float8 as seq from event`)
  return last?.seq ?? 0
}

/**
 * What desks are told of that happened after one number, and up to another where that is given; `upto` is how far that reaches.
 * At most a thousand: then more is to be read after it. Uses event_seq_key.
 */
export async function readEvents(
  ctx: Ctx,
  { after, upto }: { after: number; upto?: number },
): Promise<{ events: NumberedEvent[]; upto: number }> {
  const end = upto ?? (await readPosition(ctx))
  const rows = await query<Omit<NumberedEvent, 'kind' | 'communityId'> & { communityId: string | null }>(
    ctx,
    Prisma.sql`
    select seq::float8 as seq, name, subject_type as "subjectType", subject_id as "subjectId", community_id as "communityId"
    from event
    where seq > ${after}::bigint and seq <= ${end}::bigint and (is_desk_only or name = any(${ALSO_TOLD}::text[]))
    order by seq limit ${EVENTS_A_READ}`,
  )
  const events = rows.map(({ communityId, ...row }) => ({
    kind: 'event' as const,
    ...row,
    ...(communityId !== null && { communityId }),
  }))
  return { events, upto: rows.length < EVENTS_A_READ ? end : (rows.at(-1)?.seq ?? end) }
}

/** Whether all that happened after this number can still be read. */
export async function isKept(ctx: Ctx, after: number): Promise<boolean> {
  const next = await queryOne(ctx, Prisma.sql`select true as kept from event where seq = ${after + 1}::bigint`)
  return next !== undefined
}
