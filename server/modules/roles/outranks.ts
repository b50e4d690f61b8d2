import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, type Sql } from '#server/core/db.ts'
import { ownRank, type Reach, rankOf } from '#server/core/permissions.ts'

export const GLOBAL_ADMIN = 'global-admin'

/**
 * Whether the caller may act on the user that the column names, as an SQL condition (CONTRACT.md, Who may do what): on people
 * of strictly lower rank, counted in all the places that the act reaches; global admins manage each other. `own` is the caller's
 * rank where it is not that of their roles.
 */
export function outranks(ctx: Ctx, userColumn: Sql, reach: Reach, own: Sql = ownRank(ctx, reach)): Sql {
  return isBelow(own, rankOf(userColumn, reach))
}

/** Whether this rank may act on that one. */
export function isBelow(own: Sql, theirs: Sql): Sql {
  return Prisma.sql`(${own} > ${theirs} or ${own} = ${theirs} and ${own} >= nullif(role_rank(array[${GLOBAL_ADMIN}]), 0))`
}
