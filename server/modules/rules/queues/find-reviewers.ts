import type { Ctx } from '#server/core/ctx.ts'
import { containsFolded } from '#server/core/database/like.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { REVIEWING_EVERYWHERE, REVIEWING_LOCALLY } from '#server/core/permissions.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import type { QueueReviewer, QueueReviewersInput } from '#server/modules/rules/queues/schema.ts'
import type { RuleSpace } from '#server/modules/rules/registry/schema.ts'
import { assertMayManageRules } from '#server/modules/rules/registry/scope.ts'

const REVIEWERS_SHOWN = 50

/**
 * People with a staff account who review the space, by part of their name. Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN
 * where they may not manage rules.
 */
export async function findQueueReviewers(ctx: Ctx, { name, ...space }: QueueReviewersInput): Promise<QueueReviewer[]> {
  await assertMayManageRules(ctx, space)
  return query<QueueReviewer>(
    ctx,
    sql`
    select u.user_id, ${DESK_NAME} as display_name
    from staff_account a join network_user u on u.user_id = a.network_user_id
    where ${containsFolded(sql`a.name`, name)} and ${reviews(space)}
    order by lower(a.name), u.user_id ${sql.raw(`limit ${REVIEWERS_SHOWN}`)}`,
  )
}

/** Fails with INVALID_PARAMETERS for people who don't review the space. */
export async function assertReviewers(ctx: Ctx, space: RuleSpace, userIds: string[]): Promise<void> {
  const found = await query<{ userId: string }>(
    ctx,
    sql`
    select u.user_id from network_user u left join staff_account a on a.network_user_id = u.user_id
    where u.user_id = any(${userIds}::text[]) and ${reviews(space)}`,
  )
  const known = new Set(found.map(({ userId }) => userId))
  const unknown = userIds.filter((id) => !known.has(id))
  if (unknown.length > 0)
    throw new DomainError('INVALID_PARAMETERS', {
      detail: unknown.map((id) => `memberIds: ${id} doesn't review here`),
    })
}

/** Whether `network_user u`, with their `staff_account a` if they have one, reviews comments or posts of a community, or of any. */
function reviews({ communityId }: RuleSpace): Sql {
  const isThere = communityId === null ? sql.empty : sql`and theirs.community_id = ${communityId}`
  return sql`a.is_disabled is not true and not u.is_deleted and not u.is_global_ban and (
    ${REVIEWING_EVERYWHERE}::text[] && network_role_permissions(u.roles)
    or exists (
      select from community_user theirs
      where theirs.user_id = u.user_id and theirs.membership = 'member' and not theirs.is_deleted ${isThere}
        and ${REVIEWING_LOCALLY}::text[] && role_permissions(theirs.roles)))`
}
