import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { named, SORT_NAME } from '#server/modules/accounts/users/list-users.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { atMost, isInOwnQueue } from '#server/modules/review/queue/held.ts'
import type { FindAuthorsInput, HeldAuthor } from '#server/modules/review/queue/schema.ts'

const AUTHORS_SHOWN = 12
/** The most matching people that are checked; a longer search text finds the others. */
const PEOPLE_LOOKED_AT = 2_000

/**
 * Authors of pending items that the caller may review, by any part of their name or id. Uses network_user_name and
 * network_user_id or network_user_by_name, then review_item_of_author.
 */
export async function findAuthors(ctx: Ctx, { name }: FindAuthorsInput): Promise<HeldAuthor[]> {
  const authors = await query<{ userId: string; displayName: string | null }>(
    ctx,
    sql`
    with people as materialized (
      select u.user_id, u.display_name, ${SORT_NAME} as name from network_user u
      where ${named(name, ['displayName', 'userId'], false)}
      order by name, u.user_id ${atMost(PEOPLE_LOOKED_AT)})
    select u.user_id, u.display_name from people u
    where exists (select from review_item i where i.author_id = u.user_id and ${isInOwnQueue(ctx)})
    order by u.name, u.user_id ${atMost(AUTHORS_SHOWN)}`,
  )
  return authors.map((author) => ({ userId: author.userId, displayName: nameOf(author) }))
}
