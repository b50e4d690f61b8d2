import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { listPage } from '#server/core/list-page.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { inState } from '#server/modules/people/in-state.ts'
import type { ListedPerson, NewestInput, NewestPeople } from '#server/modules/people/schema.ts'
import { assertMayLookUp } from '#server/modules/people/scope.ts'
import { LISTED_COLUMNS, type ListedRow, toListed } from '#server/modules/people/view.ts'

/** The total is exact up to this limit (docs/interface/conventions.md#totals). */
const EXACT_UP_TO = 10_000

/**
 * People in a state, or everyone but deleted people, the newest first, with how many they are. Fails as `findPeople` does. Uses
 * network_user_newest, or the index of the state.
 */
export async function listNewest(ctx: Ctx, { state, ...page }: NewestInput): Promise<NewestPeople> {
  await assertMayLookUp(ctx)
  const isListed = state === undefined ? sql`not u.is_deleted` : inState(state)
  const [list, count] = await Promise.all([
    listPage<ListedRow, ListedPerson>(ctx, page, {
      order: {
        first: { column: sql`u.created_at`, isDescending: true, type: 'timestamptz' },
        tie: { column: sql`u.user_id`, isDescending: false },
      },
      select: ({ where, orderBy, limit }) => sql`
        select ${LISTED_COLUMNS} from network_user u where ${isListed} and ${where} order by ${orderBy} ${limit}`,
      positionOf: ({ createdAt, userId }) => [timestampOf(createdAt), userId],
      toItem: toListed,
    }),
    countUpTo(ctx, isListed),
  ])
  return { ...list, total: { count: Math.min(count, EXACT_UP_TO), isLowerBound: count > EXACT_UP_TO } }
}

async function countUpTo(ctx: Ctx, isListed: Sql): Promise<number> {
  const counted = await queryOne<{ count: number }>(
    ctx,
    sql`
    select count(*)::int as count from (
      select from network_user u where ${isListed} ${sql.raw(`limit ${EXACT_UP_TO + 1}`)}) listed`,
  )
  return counted?.count ?? 0
}
