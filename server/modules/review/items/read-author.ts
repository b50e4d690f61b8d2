import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { excerptOf } from '#server/core/excerpt.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import { listNotes } from '#server/modules/people/notes/notes.ts'
import { mayReviewDecided } from '#server/modules/review/items/read-record.ts'
import type { PastDecision, ReviewItem } from '#server/modules/review/items/schema.ts'
import { isInOwnQueue } from '#server/modules/review/queue/held.ts'
import { IS_APPROVED_COMMENT, IS_APPROVED_POST } from '#server/modules/review/queue/queue-item.ts'
import { readTreatments } from '#server/modules/spaces/author-treatments/read-treatments.ts'
import { readSanctions } from '#server/modules/spaces/sanctions/read-sanctions.ts'

interface Author {
  subjectId: string
  userId: string
  displayName: string | null
  authorSince: Date
  isGlobalBan: boolean
}

const COMMUNITIES_SHOWN = 20
const DECISIONS_SHOWN = 20
const OTHER_HELD_COUNTED = 1_000

/** The author: when they joined, their memberships, and decisions on their content, as far as the caller reviews there. */
export async function readAuthor(ctx: Ctx, author: Author): Promise<ReviewItem['author']> {
  const [communities, sanctions, treatments, notes, otherHeld, decisions] = await Promise.all([
    readCommunities(ctx, author.userId),
    readSanctions(ctx, author.userId),
    readTreatments(ctx, author.userId),
    listNotes(ctx, { aboutUserId: author.userId }),
    countOtherHeld(ctx, author),
    readDecisionsOn(ctx, author.userId),
  ])
  return {
    userId: author.userId,
    displayName: nameOf(author),
    since: author.authorSince.toISOString(),
    isGlobalBan: author.isGlobalBan,
    ...sanctions,
    treatments,
    notes,
    communities,
    otherHeld,
    decisions,
  }
}

/** Public communities, and private ones the caller reviews. */
function readCommunities(ctx: Ctx, userId: string): Promise<ReviewItem['author']['communities']> {
  return query(
    ctx,
    sql`
    select k.community_id, coalesce(nullif(k.display_name, ''), k.community_id) as display_name,
      cu.membership = 'banned' as is_banned, cu.roles
    from community_user cu join community k on k.community_id = cu.community_id
    where cu.user_id = ${userId} and cu.membership <> 'none' and not cu.is_deleted and not k.is_deleted
      and (k.is_public or ${mayInCommunity(ctx, 'reviewComments', sql`k.community_id`)})
    order by display_name, community_id limit ${COMMUNITIES_SHOWN}`,
  )
}

/** Uses review_item_of_author. */
async function countOtherHeld(ctx: Ctx, { userId, subjectId }: Author): Promise<number> {
  const counted = await queryOne<{ count: number }>(
    ctx,
    sql`
    select count(*)::int as count from (
      select from review_item i
      where i.author_id = ${userId} and i.subject_id <> ${subjectId} and ${isInOwnQueue(ctx)}
      limit ${OTHER_HELD_COUNTED}) others`,
  )
  return counted?.count ?? 0
}

interface DecisionRow extends Omit<PastDecision, 'reason' | 'decidedAt' | 'excerpt'> {
  reason: string | null
  decidedAt: Date
  data: Record<string, unknown> | null
  approved: number
  rejected: number
}

/** Uses decision_author_id_decided_at_idx. */
async function readDecisionsOn(ctx: Ctx, userId: string): Promise<ReviewItem['author']['decisions']> {
  const rows = await query<DecisionRow>(
    ctx,
    sql`
    select d.decision_id::text as decision_id, d.subject_type, d.subject_id,
      d.outcome, d.reason, d.decided_at, d.decided_by_name, coalesce(c.data, p.data) as data,
      d.outcome = 'approved' and d.author_id is distinct from ${actingUserId(ctx) ?? null}
        and (coalesce(${IS_APPROVED_COMMENT}, false) or coalesce(${IS_APPROVED_POST}, false)) as is_reversible,
      (count(*) filter (where d.outcome = 'approved') over ())::int as approved,
      (count(*) filter (where d.outcome = 'rejected') over ())::int as rejected
    from decision d left join comment c on d.subject_type = 'comment' and c.comment_id = d.subject_id
      left join post p on d.subject_type = 'post' and p.post_id = d.subject_id
    where d.author_id = ${userId} and d.undone_at is null and d.outcome in ('approved', 'rejected')
      and ${mayReviewDecided(ctx)}
    order by d.decided_at desc, d.decision_id desc limit ${DECISIONS_SHOWN}`,
  )
  return { approved: rows[0]?.approved ?? 0, rejected: rows[0]?.rejected ?? 0, latest: rows.map(toPastDecision) }
}

function toPastDecision(row: DecisionRow): PastDecision {
  return {
    decisionId: row.decisionId,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    outcome: row.outcome,
    ...(row.reason !== null && { reason: row.reason }),
    decidedAt: row.decidedAt.toISOString(),
    decidedByName: row.decidedByName,
    isReversible: row.isReversible,
    excerpt: excerptOf(textOf(row)) ?? '',
  }
}
