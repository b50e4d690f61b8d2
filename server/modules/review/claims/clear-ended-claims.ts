import { BATCH_SIZE } from '#server/core/batch-size.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, sql } from '#server/core/db.ts'

/**
 * Clears claims whose time has passed, a batch of comments, one of posts and one of items. They have had no effect since, so nothing is
 * logged or published. Returns true if there may be more. Uses comment_claimed, post_claimed and review_item_claimed, which only
 * have claimed rows.
 */
export async function clearEndedClaims(ctx: Ctx): Promise<boolean> {
  const clear = (table: 'comment' | 'post' | 'review_item', key: string) => {
    const [name, id] = [sql.raw(table), sql.raw(key)]
    return execute(
      ctx,
      sql`
      update ${name} set claimed_by = null, claimed_until = null where (${id}) in (
        select ${id} from ${name} where claimed_by is not null and claimed_until <= ${ctx.now()}
        limit ${BATCH_SIZE} for no key update skip locked)`,
    )
  }
  const cleared = [
    await clear('comment', 'comment_id'),
    await clear('post', 'post_id'),
    await clear('review_item', 'subject_type, subject_id, kind'),
  ]
  return cleared.includes(BATCH_SIZE)
}
