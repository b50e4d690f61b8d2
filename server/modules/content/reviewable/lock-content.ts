import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { type CommunityAction, holds, mayInCommunity } from '#server/core/permissions.ts'
import {
  fromContent,
  isContentVisible,
  isOwnContent,
  mayReviewContent,
  type Reviewable,
} from '#server/modules/content/reviewable/reviewable.ts'
import { runningRules } from '#server/modules/rules/judging/running-rules.ts'
import { type AuthorTreatment, treatmentOf } from '#server/modules/spaces/author-treatments/treatment-of.ts'
import { assertNotMuted, mutedUntil } from '#server/modules/spaces/sanctions/muted.ts'

/** A locked comment or post, and what the caller may do with it. */
export interface LockedContent {
  subjectId: string
  communityId: string | null
  authorId: string
  createdAt: Date
  /** `runningRules` of its community. */
  rules: string | null
  /** What becomes of what its author writes there. */
  treatment: AuthorTreatment | null
  version: number
  flagCount: number
  isDeleted: boolean
  /** Whether its author deleted it: nothing makes it visible again. */
  isWithdrawn: boolean
  isPublic: boolean
  isOwn: boolean
  mayReview: boolean
  mayEdit: boolean
  mayDelete: boolean
  /** Whether the caller wrote it and has since been banned from its community. */
  isBanned: boolean
  /** Until when the caller is muted in its community, if they wrote it. */
  mutedUntil: Date | null
}

/** Reads and locks inside the caller's scope, with `columns` of its own: NOT_FOUND for what the caller may not see. */
export async function lockContent<Locked extends LockedContent>(
  ctx: Ctx,
  content: Reviewable,
  contentId: string,
  columns: Sql,
): Promise<Locked> {
  const { alias, id, communityId, authorId } = content
  const isOwn = isOwnContent(ctx, content)
  const may = ({ inCommunity, elsewhere }: { inCommunity: CommunityAction; elsewhere: Permission }) =>
    sql`(${mayInCommunity(ctx, inCommunity, communityId)} or ${communityId} is null and ${holds(ctx, elsewhere)})`
  const locked = await queryOne<Locked>(
    ctx,
    sql`
    select ${columns}, ${id} as subject_id, ${communityId} as community_id, ${authorId} as author_id, ${alias}.created_at,
      ${runningRules(communityId)} as rules, ${treatmentOf(ctx, authorId, communityId)} as treatment, ${alias}.version, ${alias}.flag_count,
      ${alias}.is_deleted, ${alias}.withdrawn_at is not null as is_withdrawn, ${content.isPublic} as is_public, ${isOwn} as is_own,
      ${mayReviewContent(ctx, content)} as may_review, ${may(content.edit)} as may_edit, ${may(content.delete)} as may_delete,
      exists (
        select from community_user mine
        where mine.community_id = ${communityId} and ${isOwn} and mine.user_id = ${authorId} and mine.membership = 'banned') as is_banned,
      (select ${mutedUntil(ctx, sql`mine`)} from community_user mine
        where mine.community_id = ${communityId} and ${isOwn} and mine.user_id = ${authorId}) as muted_until
    from ${fromContent(content)}
    where ${id} = ${contentId} and ${isContentVisible(ctx, content)}
    for update of ${alias}`,
  )
  if (locked === undefined) throw new DomainError('NOT_FOUND')
  return locked
}

/** For its author, unless they are banned or muted, and for those who may edit others' content there; nobody edits what is deleted. */
export function assertMayEdit(ctx: Ctx, { isBanned, mutedUntil, isDeleted, isOwn, mayEdit }: LockedContent): void {
  if (isBanned) throw new DomainError('BANNED')
  if (isDeleted || !(isOwn || mayEdit)) throw new DomainError('FORBIDDEN')
  assertNotMuted(ctx, mutedUntil)
}
