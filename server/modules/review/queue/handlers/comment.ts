import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { answerBoth } from '#server/modules/content/comments/build-comments-envelope.ts'
import { countVisible } from '#server/modules/content/comments/count-visible.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { keepReports } from '#server/modules/content/flags/keep-reports.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import { isContentVisible, mayReviewContent } from '#server/modules/content/reviewable/reviewable.ts'
import { recordDelta } from '#server/modules/ledger/counts/record-delta.ts'
import type {
  ReviewHandler,
  ReviewItem,
  ReviewState,
  Transition,
  TransitionResult,
} from '#server/modules/review/queue/handlers/handler.ts'
import type { HeldOutcome } from '#server/modules/review/queue/schema.ts'

interface HeldComment extends ReviewItem {
  parentId: string | null
  /** The post it is on. */
  postId: string | null
}

const STATUS = { waiting: 'pending', approved: 'approved', rejected: 'rejected' } as const satisfies Record<
  ReviewState<HeldOutcome>,
  string
>

/** A declined comment is published as deleted (docs/interface/review-queue.md#approve-or-decline). */
const EVENT = { approved: 'v3.comment.didApprove', rejected: 'v3.comment.didDelete' } as const

/** A comment held by its community; rejecting it also deletes it. */
export const commentHandler: ReviewHandler<HeldComment, HeldOutcome, CommentsEnvelope> = {
  lock,
  move,
  toAuditState: (standing) => ({ approvalStatus: STATUS[standing] }),
  publish: async (ctx, { subjectId, communityId }, outcome) => {
    const { everyone, caller } = await answerBoth(ctx, subjectId)
    const newEvent = { name: EVENT[outcome], subjectType: 'comment', subjectId, communityId, payload: { ...everyone } }
    return { newEvent, readSeen: async () => caller }
  },
}

async function lock(ctx: Ctx, commentId: string): Promise<HeldComment> {
  const held = await queryOne<HeldComment>(
    ctx,
    sql`
    select c.comment_id as "subjectId", c.community_id as "communityId", c.user_id as "authorId", c.version, c.parent_id as "parentId",
      case when c.reference_type = 'post' then c.reference_id end as "postId", c.approval_status = 'pending' and not c.is_deleted as "isWaiting",
      ${mayReviewContent(ctx, reviewableComment)} as "mayReview"
    from comment c join community k on k.community_id = c.community_id
    where c.comment_id = ${commentId} and ${isContentVisible(ctx, reviewableComment)}
    for update of c`,
  )
  if (held === undefined) throw new DomainError('NOT_FOUND')
  return held
}

async function move(
  ctx: Ctx,
  held: HeldComment,
  { from, to, version }: Transition<HeldOutcome>,
): Promise<TransitionResult | undefined> {
  const moved = await queryOne<TransitionResult & { flagCount: number }>(
    ctx,
    sql`
    update comment set approval_status = ${STATUS[to]}::approval_status, is_deleted = ${to === 'rejected'}, version = version + 1,
      updated_at = ${ctx.now()}
    where comment_id = ${held.subjectId} and approval_status = ${STATUS[from]}::approval_status and is_deleted = ${from === 'rejected'}
      and version = ${version}
    returning version, text_digest(data) as "textDigest", flag_count as "flagCount"`,
  )
  if (moved === undefined) return undefined

  if (held.communityId !== null && (from === 'waiting' || to === 'waiting'))
    await recordDelta(ctx, 'held_comments', held.communityId, to === 'waiting' ? 1 : -1)
  if (from === 'approved' || to === 'approved') await countVisible(ctx, held, to === 'approved' ? 1 : -1)
  if (moved.flagCount > 0 && (from === 'rejected' || to === 'rejected')) {
    await markFlagged(ctx, 'comment', held)
    await keepReports(ctx, 'comment', [held.subjectId])
  }
  return moved
}
