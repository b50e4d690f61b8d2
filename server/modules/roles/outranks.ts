import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'
import { ownRank, type Place, rankOf } from '#server/core/permissions.ts'

export const GLOBAL_ADMIN = 'global-admin'

/**
 * Whether the caller may act on the user that the column names, as an SQL condition (CONTRACT.md, Who may do what): on people
 * of strictly lower rank; global admins manage each other. `own` is the caller's rank where it is not that of their roles.
 */
export function outranks(ctx: Ctx, userColumn: Sql, place: Place, own: Sql = ownRank(ctx, place)): Sql {
  const theirs = rankOf(userColumn, place)
  return Prisma.sql`(${own} > ${theirs} or ${own} = ${theirs} and ${own} >= nullif(role_rank(array[${GLOBAL_ADMIN}]), 0))`
}
