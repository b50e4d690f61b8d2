import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { HeldType } from '#server/modules/content/items/held.ts'
import type { Row } from '#server/modules/integrations/imports/records/record-kind.ts'

/**
 * Why these pending rows can't be added: nobody sees the queue of a deleted community. What was added before its community was deleted
 * is left out, as importing it again changes nothing.
 */
export async function findUnreviewable(ctx: Ctx, type: HeldType, waiting: Row[]): Promise<Map<Row, string>> {
  if (waiting.length === 0) return new Map()
  const [id, field] = ID[type]
  const closed = await query<{ id: string }>(
    ctx,
    sql`
    select given.id
    from unnest(${waiting.map((row) => row[field])}::text[], ${waiting.map((row) => row.communityId)}::text[]) as given(id, community_id)
    join community c using (community_id)
    where c.is_deleted and not exists (select from ${sql.raw(type)} stored where stored.${sql.raw(id)} = given.id)`,
  )
  const ids = new Set(closed.map((row) => row.id))
  return new Map(
    waiting
      .filter((row) => ids.has(String(row[field])))
      .map((row) => [row, `Nobody can review it: community ${JSON.stringify(row.communityId)} is deleted`]),
  )
}

const ID = { comment: ['comment_id', 'commentId'], post: ['post_id', 'postId'] } as const
