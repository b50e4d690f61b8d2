import type { Ctx } from '#server/core/ctx.ts'
import { sql } from '#server/core/db.ts'
import type { Page } from '#server/core/list-page.ts'
import { listPage } from '#server/core/list-page.ts'
import type { ListedPerson, PageInput } from '#server/modules/people/schema.ts'
import { requireLookUp } from '#server/modules/people/scope.ts'
import { LISTED_COLUMNS, type ListedRow, toListed } from '#server/modules/people/view.ts'

/** Everyone but deleted people, the newest first. Fails as `findPeople` does. Uses network_user_newest. */
export async function listNewest(ctx: Ctx, page: PageInput): Promise<Page<ListedPerson>> {
  await requireLookUp(ctx)
  return listPage<ListedRow, ListedPerson>(ctx, page, {
    order: {
      first: { column: sql`u.created_at`, isDescending: true, type: 'timestamptz' },
      tie: { column: sql`u.user_id`, isDescending: false },
    },
    select: ({ where, orderBy, limit }) => sql`
      select ${LISTED_COLUMNS} from network_user u where not u.is_deleted and ${where} order by ${orderBy} ${limit}`,
    positionOf: ({ createdAt, userId }) => [createdAt.toISOString(), userId],
    toItem: toListed,
  })
}
