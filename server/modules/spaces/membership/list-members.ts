import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import type { SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'

/** The filters that lists of members have in every kind of space. */
interface MembersFilter {
  spaceId: string
  /** Any of these. */
  roles?: string[] | undefined
  isBrand?: boolean | undefined
  isDeleted?: boolean | undefined
}

/** The filters as conditions on a row of members `cu` and its `network_user u`. */
export function memberConditions(
  { id, isRowDeleted }: SpaceTable,
  { spaceId, roles, isBrand, isDeleted }: MembersFilter,
): Sql[] {
  return [
    sql`cu.${id} = ${spaceId}`,
    ...(roles === undefined ? [] : [sql`cu.roles && ${roles}::text[] ${NO_PREPARE}`]),
    ...(isBrand === undefined ? [] : [sql`u.is_brand = ${isBrand}`]),
    ...(isDeleted === undefined ? [] : [sql`${isRowDeleted} = ${isDeleted}`]),
  ]
}

/** The number of members that meet these conditions, up to a maximum. */
export async function countMatching(
  ctx: Ctx,
  { members }: SpaceTable,
  conditions: Sql[],
  upTo: number,
): Promise<number> {
  const found = await queryOne<{ count: number }>(
    ctx,
    sql`
    select count(*)::int as count from (
      select from ${members} cu join network_user u on u.user_id = cu.user_id
      where ${sql.join(conditions, ' and ')}
      ${sql.raw(`limit ${Math.trunc(upTo)}`)}) counted`,
  )
  return found?.count ?? 0
}
