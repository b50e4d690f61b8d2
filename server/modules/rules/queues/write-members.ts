import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'

/** Makes these people the members of a queue, and nobody else. */
export async function writeMembers(ctx: Ctx, { queueId }: { queueId: string }, memberIds: string[]): Promise<void> {
  await execute(
    ctx,
    sql`
    with gone as (
      delete from named_queue_member where queue_id = ${queueId} and user_id <> all(${memberIds}::text[]))
    insert into named_queue_member (queue_id, user_id)
    select ${queueId}, id from unnest(${memberIds}::text[]) id on conflict do nothing`,
  )
}
