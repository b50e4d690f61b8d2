import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { holds, mayInCommunity } from '#server/core/permissions.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { maySomewhere } from '#server/modules/spaces/places-of.ts'

/** Whether the caller may set treatments for the whole network: those who decide on content and ban there. */
export function maySetEverywhere(ctx: Ctx): boolean {
  return holds(ctx, 'MANAGE_POST_AND_COMMENT') && holds(ctx, 'BAN_USER')
}

/** Whether the caller may set treatments in the community of this column, as an SQL condition: those who review comments and posts there, and ban. */
export function maySetIn(ctx: Ctx, communityColumn: Sql): Sql {
  const actions = ['reviewComments', 'reviewPosts', 'banMembers'] as const
  return sql`(${sql.join(
    actions.map((action) => mayInCommunity(ctx, action, communityColumn)),
    ' and ',
  )})`
}

/** Whether the caller may end treatment `a`, as an SQL condition: those who may set it, for people of lower rank where it applies. */
export function mayEnd(ctx: Ctx): Sql {
  const [person, communityId] = [sql`a.user_id`, sql`a.community_id`]
  return sql`(${person} is distinct from ${actingUserId(ctx) ?? null} and case when ${communityId} is null
    then ${maySetEverywhere(ctx)} and ${outranks(ctx, person, 'network')}
    else ${maySetIn(ctx, communityId)} and ${outranks(ctx, person, { communityId })} end)`
}

/** Whether the caller may set a treatment for this person somewhere, as an SQL condition. */
export function maySetSomewhere(ctx: Ctx, person: Sql): Sql {
  return maySomewhere(ctx, person, { mayIn: maySetIn, mayEverywhere: maySetEverywhere(ctx) })
}
