import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { COMMENT_COLUMNS, type CommentRow, textOf, toCommentView } from '#server/modules/comments/view.ts'
import { ITEM_COLUMNS, type ItemRow, toQueueItem } from '#server/modules/review/list-queue.ts'
import { readAuthor } from '#server/modules/review/read-author.ts'
import type { HistoryEntry, ItemInput, Outcome, Quoted, ReviewItem } from '#server/modules/review/schema.ts'
import { nameOf } from '#server/modules/users/view.ts'

/** Everything one needs to judge a comment that is or was held. NOT_FOUND for whom it is not theirs to review. */
export async function readItem(ctx: Ctx, { commentId }: ItemInput): Promise<ReviewItem> {
  const row = await readHeld(ctx, commentId)
  const [parent, post, replies, author, decisions] = await Promise.all([
    readParent(ctx, row),
    readPost(ctx, row),
    countReplies(ctx, commentId),
    readAuthor(ctx, row),
    readDecisions(ctx, commentId),
  ])
  const standing =
    row.approvalStatus === 'pending' ? undefined : decisions.findLast((decision) => decision.undoneAt === null)

  return {
    item: toQueueItem(ctx, row),
    comment: toCommentView(row, { children: [], myReactions: [] }),
    ...(standing && {
      decided: {
        outcome: standing.outcome,
        decidedByName: standing.decidedByName,
        decidedAt: standing.decidedAt.toISOString(),
        ...(standing.reason !== null && { reason: standing.reason }),
      },
    }),
    holdsComments: row.holdsComments,
    ...(parent && { parent }),
    ...(post && { post }),
    replies,
    author,
    history: toHistory(row, decisions),
  }
}

type HeldRow = CommentRow & ItemRow & { holdsComments: boolean; authorSince: Date; isGlobalBan: boolean }

async function readHeld(ctx: Ctx, commentId: string): Promise<HeldRow> {
  const row = await queryOne<HeldRow>(
    ctx,
    Prisma.sql`
    select ${COMMENT_COLUMNS}, ${ITEM_COLUMNS}, k.need_approval_on_comment_creation as "holdsComments",
      u.created_at as "authorSince", u.is_global_ban as "isGlobalBan"
    from comment c join network_user u on u.user_id = c.user_id join community k on k.community_id = c.community_id
    where c.comment_id = ${commentId} and c.approval_status is not null
      and ${mayInCommunity(ctx, 'reviewComments', Prisma.sql`c.community_id`)}`,
  )
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return row
}

interface QuotedRow {
  id: string
  userId: string
  displayName: string | null
  data: Record<string, unknown> | null
  createdAt: Date
  approvalStatus: Quoted['approvalStatus'] | null
  isDeleted: boolean
}

function toQuoted(row: QuotedRow): Quoted {
  return {
    id: row.id,
    authorName: nameOf(row),
    text: textOf(row),
    writtenAt: row.createdAt.toISOString(),
    ...(row.approvalStatus && { approvalStatus: row.approvalStatus }),
    isDeleted: row.isDeleted,
  }
}

/** The comment it answers, where that stands in the same community. */
async function readParent(ctx: Ctx, { parentId, communityId }: HeldRow): Promise<Quoted | undefined> {
  if (parentId === null) return undefined
  const parent = await queryOne<QuotedRow>(
    ctx,
    Prisma.sql`
    select c.comment_id as id, c.user_id as "userId", u.display_name as "displayName", c.data, c.created_at as "createdAt",
      c.approval_status as "approvalStatus", c.is_deleted as "isDeleted"
    from comment c join network_user u on u.user_id = c.user_id
    where c.comment_id = ${parentId} and c.community_id = ${communityId}`,
  )
  return parent && toQuoted(parent)
}

async function readPost(ctx: Ctx, { referenceType, referenceId, communityId }: HeldRow): Promise<ReviewItem['post']> {
  if (referenceType !== 'post' || referenceId === null) return undefined
  const post = await queryOne<QuotedRow>(
    ctx,
    Prisma.sql`
    select p.post_id as id, p.posted_user_id as "userId", u.display_name as "displayName", p.data, p.created_at as "createdAt",
      null as "approvalStatus", p.is_deleted as "isDeleted"
    from post p join network_user u on u.user_id = p.posted_user_id
    where p.post_id = ${referenceId} and p.community_id = ${communityId}`,
  )
  if (post === undefined) return undefined
  const title = post.data?.title
  return { ...toQuoted(post), ...(typeof title === 'string' && { title }) }
}

/** Replies shown as a number: enough to know that there are many. */
const REPLIES_COUNTED = 1_000

async function countReplies(ctx: Ctx, commentId: string): Promise<ReviewItem['replies']> {
  const counted = await queryOne<ReviewItem['replies']>(
    ctx,
    Prisma.sql`
    select count(*) filter (where approval_status = 'pending')::int as held,
      count(*) filter (where approval_status is distinct from 'pending')::int as visible
    from (select approval_status from comment where parent_id = ${commentId} and not is_deleted limit ${REPLIES_COUNTED}) replies`,
  )
  return counted ?? { held: 0, visible: 0 }
}

interface DecisionRow {
  outcome: Outcome
  reason: string | null
  decidedByName: string
  decidedAt: Date
  undoneAt: Date | null
}

/** Oldest first; uses decision_subject_type_subject_id_decided_at_idx. */
function readDecisions(ctx: Ctx, commentId: string): Promise<DecisionRow[]> {
  return query<DecisionRow>(
    ctx,
    Prisma.sql`
    select outcome, reason, decided_by_name as "decidedByName", decided_at as "decidedAt", undone_at as "undoneAt"
    from decision where subject_type = 'comment' and subject_id = ${commentId}
    order by decided_at, decision_id limit 100`,
  )
}

function toHistory(row: HeldRow, decisions: DecisionRow[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [
    { what: 'written', at: row.createdAt.toISOString(), by: nameOf(row) },
    { what: 'held', at: row.queuedAt.toISOString() },
    ...(row.editedAt ? [{ what: 'edited' as const, at: row.editedAt.toISOString(), by: nameOf(row) }] : []),
    ...decisions.flatMap((decision) => [
      {
        what: decision.outcome,
        at: decision.decidedAt.toISOString(),
        by: decision.decidedByName,
        ...(decision.reason !== null && { reason: decision.reason }),
      },
      ...(decision.undoneAt
        ? [{ what: 'undone' as const, at: decision.undoneAt.toISOString(), by: decision.decidedByName }]
        : []),
    ]),
  ]
  return entries.sort((one, other) => one.at.localeCompare(other.at))
}
