import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { type CommunityAction, holds, mayInCommunity } from '#server/core/permissions.ts'
import { isOpen } from '#server/modules/spaces/communities/visible.ts'

/** Comments or posts: content that a community may hold for review. The columns are those of its row under `alias`. */
export interface Reviewable {
  type: 'comment' | 'post'
  table: Sql
  alias: Sql
  id: Sql
  authorId: Sql
  communityId: Sql
  /** Whether it was never held for review, or is approved. */
  isPublic: Sql
  /** What others need to act on it: in its community, or where it has none. */
  review: CommunityAction
  edit: { inCommunity: CommunityAction; elsewhere: Permission }
  delete: { inCommunity: CommunityAction; elsewhere: Permission }
}

/** Whether the caller reviews its community. */
export function mayReviewContent(ctx: Ctx, { review, communityId }: Reviewable): Sql {
  return mayInCommunity(ctx, review, communityId)
}

/** Whether the caller may delete what others published, as its reviewer: the condition of the deletion that answers a report (`REPORTABLE`). */
export function mayRemoveContent(ctx: Ctx, content: Reviewable): Sql {
  const { inCommunity, elsewhere } = content.delete
  return sql`(${mayReviewContent(ctx, content)} and ${mayInCommunity(ctx, inCommunity, content.communityId)}
    or ${content.communityId} is null and ${holds(ctx, 'MANAGE_POST_AND_COMMENT') && holds(ctx, elsewhere)})`
}

/** Whether the caller wrote it. */
export function isOwnContent(ctx: Ctx, { authorId }: Reviewable): Sql {
  const userId = actingUserId(ctx)
  return userId === undefined ? sql`false` : sql`coalesce(${authorId} = ${userId}, false)`
}

/**
 * Whether the caller may see it, as an SQL condition; needs its `community k`, joined where it has one. What is held or rejected is
 * visible only to its author and to reviewers, everywhere.
 */
export function isContentVisible(ctx: Ctx, content: Reviewable): Sql {
  const isOpenToCaller = sql`(${content.communityId} is null or ${isOpen(ctx)})`
  return sql`(${isOwnContent(ctx, content)} or ${mayReviewContent(ctx, content)}
    or (${content.isPublic} and ${isOpenToCaller}))`
}

/** Fails with NOT_FOUND for what the caller may not see. */
export async function assertContentVisible(ctx: Ctx, content: Reviewable, contentId: string): Promise<void> {
  const found = await queryOne(
    ctx,
    sql`
    select true as found from ${fromContent(content)} where ${content.id} = ${contentId} and ${isContentVisible(ctx, content)}`,
  )
  if (found === undefined) throw new DomainError('NOT_FOUND')
}

/** The rows of the content, with their `community k` where they have one. */
export function fromContent({ table, alias, communityId }: Reviewable): Sql {
  return sql`${table} ${alias} left join community k on k.community_id = ${communityId}`
}
