import type { Ctx } from '#server/core/ctx.ts'
import { listOf, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { answerBoth, REPLIES, viewsOf } from '#server/modules/content/comments/build-comments-envelope.ts'
import { countVisible, visibleDeltas } from '#server/modules/content/comments/count-visible.ts'
import { type EnvelopeRow, type FoundComments, findComments } from '#server/modules/content/comments/find-comments.ts'
import { reviewableComment } from '#server/modules/content/comments/reviewable-comment.ts'
import { markFlagged } from '#server/modules/content/flags/mark-flagged.ts'
import { IS_PENDING, isOfType } from '#server/modules/content/items/held.ts'
import { lockHeldItem, lockPlaces } from '#server/modules/content/items/lock-items.ts'
import { IS_ON_ERASED, IS_ON_NOTHING } from '#server/modules/content/items/place.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { isContentVisible, mayReviewContent } from '#server/modules/content/reviewable/reviewable.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import { managedReason } from '#server/modules/network/reasons/require-reason.ts'
import type {
  Change,
  ReviewHandler,
  ReviewItem,
  ReviewState,
  SeenItem,
  Transition,
  TransitionAt,
  TransitionResult,
  UndecidedInput,
  UndecidedItem,
} from '#server/modules/review/decisions/handlers/handler.ts'
import { isClaimedAsRead } from '#server/modules/review/decisions/may-decide.ts'
import type { Deciding, HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import { withReasons } from '#server/modules/review/decisions/with-reasons.ts'
import { actingRulesOf } from '#server/modules/rules/judging/review-reasons.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'

interface HeldComment extends ReviewItem {
  parentId: string | null
  /** The post it is on. */
  postId: string | null
  isPlaceErased: boolean
  actingRules: ReviewReason[] | null
}

const STATUS = { waiting: 'pending', approved: 'approved', rejected: 'rejected' } as const satisfies Record<
  ReviewState<HeldOutcome>,
  string
>

/** A declined comment is published as deleted (docs/interface/review-queue.md#approve-or-decline). */
const EVENT = { approved: 'v3.comment.didApprove', rejected: 'v3.comment.didDelete' } as const

/** A comment held by its community; rejecting it also deletes it. */
export const commentHandler: ReviewHandler<HeldComment, HeldOutcome> = {
  kind: 'held',
  atOnce: { readOne, readSeveral, moved },
  lock,
  move,
  toAuditState: (state) => ({ approvalStatus: STATUS[state] }),
  publish: async (ctx, { subjectId, communityId, actingRules }, outcome) => {
    const { everyone, caller } = await answerBoth(ctx, subjectId)
    const event = { name: EVENT[outcome], subjectType: 'comment', subjectId, communityId, payload: { ...everyone } }
    return { event: withReasons(event, actingRules), seen: caller }
  },
}

interface UndecidedRow extends Pick<UndecidedItem, 'managedReason' | 'mayReview'> {
  /** Null for what never was held. */
  item: { isWaiting: boolean; claimedBy: string | null; claimedUntil: string | null } | null
  postId: string | null
  /** The rules that held, rejected or flagged it, for the event. */
  actingRules: ReviewReason[] | null
}

/** A comment with its whole envelope. Whether the caller sees one that they don't review is only looked at afterwards: it makes the plan larger. */
async function readOne(ctx: Ctx, input: UndecidedInput): Promise<UndecidedItem<HeldOutcome> | undefined> {
  const mayReview = mayReviewContent(ctx, reviewableComment)
  const reviewed = sql`
    select 1 as position, true as is_reviewed, c.* from comment c
    where c.comment_id = ${input.subjectId} and ${mayReview}`
  const found = await findUndecided(ctx, input, reviewed)
  if (found !== undefined) return found

  const visible = sql`
    select 1 as position, ${mayReview} as is_reviewed, c.*
    from comment c join community k on k.community_id = c.community_id
    where c.comment_id = ${input.subjectId} and ${isContentVisible(ctx, reviewableComment)}`
  return findUndecided(ctx, input, visible)
}

async function findUndecided(ctx: Ctx, { isShown = false, ...deciding }: UndecidedInput, page: Sql) {
  const found = await findComments<UndecidedRow>(ctx, {
    tables: sql`page as materialized (${page})`,
    replies: REPLIES,
    more: undecidedColumns(deciding),
    isForEveryone: !isShown,
  })
  return found.first && toUndecided({ ...found, isShown }, found.first)
}

const ACTING_RULES = actingRulesOf({
  subjectType: sql`'comment'`,
  subjectId: sql`c.comment_id`,
  editedAt: sql`c.edited_at`,
})

function undecidedColumns(deciding: Deciding): Sql {
  return sql`,
    c.is_reviewed as may_review, case c.reference_type when 'post' then c.reference_id end as post_id,
    (
      select json_build_object('isWaiting', ${IS_PENDING}, 'claimedBy', i.claimed_by, 'claimedUntil', i.claimed_until) from review_item i
      where ${isOfType('comment')} and i.subject_id = c.comment_id and i.kind = 'held') as item,
    case when not c.is_child then ${ACTING_RULES} end as acting_rules,
    ${managedReason(deciding)} as managed_reason`
}

/**
 * Several comments, each with its whole envelope. Locks all of them in the order of their ids, then their posts, also those that can't be decided
 * together: deciding these one by one afterwards takes no new locks, so that it can't deadlock with another caller who locks in this order.
 */
async function readSeveral(ctx: Ctx, commentIds: string[], deciding: Deciding): Promise<UndecidedItem<HeldOutcome>[]> {
  const { rows, named } = await findComments<UndecidedRow>(ctx, {
    tables: sql`
      page as materialized (
        select asked.position, ${mayReviewContent(ctx, reviewableComment)} as is_reviewed, c.*
        from unnest(${listOf(commentIds)}) with ordinality as asked(comment_id, position)
        join comment c on c.comment_id = asked.comment_id join community k on k.community_id = c.community_id
        where ${isContentVisible(ctx, reviewableComment)}
        order by c.comment_id for no key update of c)`,
    replies: REPLIES,
    more: undecidedColumns(deciding),
    isForEveryone: true,
  })
  await lockPlaces(ctx, commentIds)
  const repliesTo = Map.groupBy(
    rows.filter(({ isChild }) => isChild),
    ({ parentId }) => parentId,
  )
  return rows
    .filter(({ isChild }) => !isChild)
    .map((row) => toUndecided({ rows: [row, ...(repliesTo.get(row.commentId) ?? [])], named, isShown: false }, row))
}

/** Moves comments that are pending or approved. No report is affected, as none of them has flags; one flagged in between is decided under its lock. */
function moved(ctx: Ctx, items: SeenItem[], { from, to, at }: TransitionAt<HeldOutcome>): Sql {
  return sql`
    seen as materialized (
      select * from unnest(${items.map(({ subjectId }) => subjectId)}::text[], ${items.map(({ version }) => version)}::int[],
        ${items.map(({ claimedBy = null }) => claimedBy)}::text[], ${items.map(({ claimedUntil = null }) => claimedUntil)}::timestamptz[])
        as seen(comment_id, version, claimed_by, claimed_until)),
    locked as materialized (
      select c.comment_id, seen.claimed_by, seen.claimed_until from seen join comment c on c.comment_id = seen.comment_id
      where c.approval_status = ${STATUS[from]}::approval_status and not c.is_deleted
        and c.version = seen.version and c.flag_count = 0 and ${mayReviewContent(ctx, reviewableComment)}
      order by c.comment_id for no key update of c),
    item as materialized (
      select i.subject_id from locked join review_item i on ${isOfType('comment')} and i.subject_id = locked.comment_id and i.kind = 'held'
      where (i.state = 'waiting') = ${from === 'waiting'} and ${isClaimedAsRead(ctx, sql`i`, sql`locked`)}
      order by i.subject_id for no key update of i),
    moved as (
      update comment c set approval_status = ${STATUS[to]}::approval_status, is_deleted = ${to === 'rejected'},
        version = c.version + 1, updated_at = ${at}
      from item where c.comment_id = item.subject_id
      returning c.comment_id as subject_id, c.version, text_digest(c.data) as text_digest, c.queued_at as held_at)`
}

/** A comment with all that its event contains, and its answer if it is shown. */
interface FoundUndecided extends FoundComments {
  isShown: boolean
}

function toUndecided(found: FoundUndecided, first: EnvelopeRow & UndecidedRow): UndecidedItem<HeldOutcome> {
  const { managedReason: words, mayReview, item, communityId, version } = first
  return {
    subjectId: first.commentId,
    communityId,
    authorId: first.userId,
    version,
    isWaiting: item?.isWaiting ?? false,
    ...claimOf(first),
    mayReview,
    managedReason: words,
    changeTo: (ctx, move) =>
      first.flagCount > 0 || move.from === 'rejected' ? undefined : changeAtOnce(ctx, found, first, move),
  }
}

const claimOf = ({ item }: UndecidedRow) => ({
  claimedBy: item?.claimedBy ?? null,
  claimedUntil: item?.claimedUntil ? new Date(item.claimedUntil) : null,
})

function changeAtOnce(
  ctx: Ctx,
  { isShown, ...found }: FoundUndecided,
  first: EnvelopeRow & UndecidedRow,
  { from, to, at }: TransitionAt<HeldOutcome>,
): Change | undefined {
  if (to === 'waiting') return undefined
  const { commentId, communityId, parentId, postId, actingRules } = first
  const after = {
    approvalStatus: STATUS[to],
    isDeleted: to === 'rejected',
    version: first.version + 1,
    updatedAt: at,
    // Rules neither hold nor reject what people have decided on.
    reviewReasons: null,
  }
  const changed = { ...found, rows: found.rows.map((row) => (row.isChild ? row : { ...row, ...after })) }
  const { everyone, caller } = viewsOf(ctx, changed)
  const visible = Number(to === 'approved') - Number(from === 'approved')
  const deltas = visible === 0 ? [] : visibleDeltas({ parentId, postId }, visible)
  const event = { name: EVENT[to], subjectType: 'comment', subjectId: commentId, communityId, payload: { ...everyone } }
  return {
    after: after.version,
    deltas,
    event: withReasons(event, actingRules),
    ...(isShown && { seen: caller }),
  }
}

async function lock(ctx: Ctx, commentId: string): Promise<HeldComment> {
  const held = await queryOne<Omit<HeldComment, 'isWaiting'>>(
    ctx,
    sql`
    select c.comment_id as subject_id, c.community_id, c.user_id as author_id, c.version, c.parent_id,
      case when c.reference_type = 'post' then c.reference_id end as post_id,
      ${mayReviewContent(ctx, reviewableComment)} as may_review, ${IS_ON_NOTHING} as is_place_gone, ${IS_ON_ERASED} as is_place_erased,
      ${ACTING_RULES} as acting_rules
    from comment c join community k on k.community_id = c.community_id
    where c.comment_id = ${commentId} and ${isContentVisible(ctx, reviewableComment)}
    for update of c`,
  )
  if (held === undefined) throw new DomainError('NOT_FOUND')
  return { ...held, ...(await lockHeldItem(ctx, 'comment', commentId)) }
}

/** Moves a locked comment; undefined if it was changed in between, or would wait again on a post that is erased. */
async function move(
  ctx: Ctx,
  held: HeldComment,
  { from, to }: Transition<HeldOutcome>,
): Promise<TransitionResult | undefined> {
  if (to === 'waiting' && held.isPlaceErased) return undefined
  const moved = await queryOne<TransitionResult & { flagCount: number }>(
    ctx,
    sql`
    update comment set approval_status = ${STATUS[to]}::approval_status, is_deleted = ${to === 'rejected'}, version = version + 1,
      updated_at = ${ctx.now()}
    where comment_id = ${held.subjectId} and approval_status = ${STATUS[from]}::approval_status and is_deleted = ${from === 'rejected'}
      and withdrawn_at is null and version = ${held.version}
    returning version, text_digest(data) as text_digest, flag_count, queued_at as held_at`,
  )
  if (moved === undefined) return undefined

  await putItems(ctx, 'comment', [held.subjectId])
  if (from === 'approved' || to === 'approved') await countVisible(ctx, held, to === 'approved' ? 1 : -1)
  if (moved.flagCount > 0 && (from === 'rejected' || to === 'rejected')) {
    await markFlagged(ctx, 'comment', held)
    await keepReports(ctx, 'comment', [held.subjectId])
  }
  return moved
}
