import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { excerptOf, LONG_EXCERPT_LENGTH } from '#server/core/excerpt.ts'
import type { Page } from '#server/core/list-page.ts'
import { listPage, numberTie } from '#server/core/list-page.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import type { DecisionRecord, Named, Person, PersonListInput } from '#server/modules/people/schema.ts'
import { knowsCommunity } from '#server/modules/people/scope.ts'
import { namedAs } from '#server/modules/people/view.ts'

/** The decisions on what they wrote, latest first. Uses decision_author_id_decided_at_idx. */
export function listDecisionsAbout(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<DecisionRecord>> {
  return list(ctx, page, sql`d.author_id = ${userId}`)
}

/** The decisions they made themselves, latest first. Uses decision_decided_by_decided_at_idx. */
export function listDecisionsBy(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<DecisionRecord>> {
  return list(ctx, page, sql`d.decided_by = ${userId}`)
}

type DecisionCounts = Omit<Person['itemCounts'], 'held'>

/** The number of decisions about them that are in effect, as far as the caller may see them. Uses decision_author_id_decided_at_idx. */
export async function countDecisionsAbout(ctx: Ctx, userId: string): Promise<DecisionCounts> {
  const counted = await queryOne<DecisionCounts>(
    ctx,
    sql`
    select (count(*) filter (where d.outcome = 'approved'))::int as approved, (count(*) filter (where d.outcome = 'rejected'))::int as rejected
    from decision d
    where d.author_id = ${userId} and d.undone_at is null and ${knowsCommunity(ctx, 'VIEW_HISTORY', sql`d.community_id`)}`,
  )
  return counted ?? { approved: 0, rejected: 0 }
}

interface DecisionRow {
  tie: string
  decisionId: string
  subjectType: string
  subjectId: string
  outcome: DecisionRecord['outcome']
  decidedAt: Date
  decidedBy: string | null
  decidedByName: string
  author: Named
  communityId: string | null
  communityName: string | null
  reason: string | null
  data: Record<string, unknown> | null
  isReversal: boolean
  undoneAt: Date | null
}

function list(ctx: Ctx, page: Omit<PersonListInput, 'userId'>, isTheirs: Sql): Promise<Page<DecisionRecord>> {
  return listPage<DecisionRow, DecisionRecord>(ctx, page, {
    order: {
      first: { column: sql`d.decided_at`, isDescending: true, type: 'timestamptz' },
      tie: { column: numberTie(sql`d.decision_id`), isDescending: true },
    },
    select: ({ where, orderBy, limit }) => sql`
      select ${numberTie(sql`d.decision_id`)} as tie, d.decision_id::text as decision_id, d.subject_type::text as subject_type,
        d.subject_id, d.outcome::text as outcome, d.decided_at, d.decided_by,
        d.decided_by_name, ${namedAs(sql`d.author_id`, sql`author`)} as author, d.reason,
        d.community_id, nullif(k.display_name, '') as community_name, coalesce(c.data, p.data) as data,
        d.is_reversal, d.undone_at
      from decision d left join community k on k.community_id = d.community_id
        left join network_user author on author.user_id = d.author_id
        left join comment c on d.subject_type = 'comment' and c.comment_id = d.subject_id
        left join post p on d.subject_type = 'post' and p.post_id = d.subject_id
      where ${isTheirs} and ${where} and ${knowsCommunity(ctx, 'VIEW_HISTORY', sql`d.community_id`)}
      order by ${orderBy} ${limit}`,
    positionOf: ({ decidedAt, tie }) => [timestampOf(decidedAt), tie],
    toItem,
  })
}

function toItem(row: DecisionRow): DecisionRecord {
  const { decisionId, subjectType, subjectId, outcome, author, isReversal, communityId, communityName } = row
  return {
    decisionId,
    subjectType,
    subjectId,
    outcome,
    author,
    isReversal,
    at: timestampOf(row.decidedAt),
    by: { displayName: row.decidedByName, ...present({ userId: row.decidedBy }) },
    ...(communityId !== null && { community: { communityId, displayName: communityName ?? communityId } }),
    ...present({
      reason: row.reason,
      excerpt: excerptOf(textOf(row), LONG_EXCERPT_LENGTH),
      undoneAt: row.undoneAt && timestampOf(row.undoneAt),
    }),
  }
}
