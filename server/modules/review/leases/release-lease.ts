import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'
import { SPACE_JSON, spaceOf } from '#server/modules/review/leases/lease-space.ts'
import { publishLease } from '#server/modules/review/leases/publish-lease.ts'
import type { HeldLease } from '#server/modules/review/leases/schema.ts'

/** Releases a lease. Does nothing if the caller no longer holds it. */
export async function releaseLease(ctx: Ctx, { token, ...subject }: HeldLease): Promise<void> {
  const notice = sql`
    ${JSON.stringify({ ...subject, forMs: 0 })}::jsonb || ${SPACE_JSON}`
  await execute(
    ctx,
    sql`
    with space as materialized (${spaceOf(ctx, subject)}),
    released as (
      delete from lease using space
      where subject_type = ${subject.subjectType}::subject_type and subject_id = ${subject.subjectId} and token = ${token}
      returning space.community_id, space.channel_id, space.conversation_id)
    select ${publishLease(notice)} as published from released as space`,
  )
}
