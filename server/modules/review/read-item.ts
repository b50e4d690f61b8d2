import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, query, queryOne, type Sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { readFiles } from '#server/modules/files/read-files.ts'
import {
  COMMENT_ITEM,
  ESCALATION,
  escalationOf,
  IS_APPROVED_COMMENT,
  IS_APPROVED_POST,
  type ItemRow,
  POST_ITEM,
  toQueueItem,
} from '#server/modules/review/queue-item.ts'
import { readAuthor } from '#server/modules/review/read-author.ts'
import { readParent, readPost, readReplies } from '#server/modules/review/read-surroundings.ts'
import type { HistoryEntry, Outcome, ReviewItem, SameWords, Subject } from '#server/modules/review/schema.ts'
import { nameOf } from '#server/modules/users/view.ts'

/** Everything one needs to judge what is or was held. NOT_FOUND for whom it is not theirs to review. */
export async function readItem(ctx: Ctx, subject: Subject): Promise<ReviewItem> {
  const row = await readHeld(ctx, subject)
  const [files, mentioned, parent, post, replies, author, decisions, sameWords] = await Promise.all([
    readFiles(ctx, row.fileIds),
    readMentioned(ctx, row.mentionedIds),
    readParent(ctx, row),
    readPost(ctx, row),
    readReplies(ctx, row),
    readAuthor(ctx, row),
    readDecisions(ctx, subject),
    readSameWords(ctx, row),
  ])
  const standing = row.waits ? undefined : decisions.findLast((decision) => decision.undoneAt === null)

  return {
    item: toQueueItem(ctx, row),
    files,
    mentioned,
    ...(standing && {
      decided: {
        outcome: standing.outcome,
        decidedByName: standing.decidedByName,
        decidedAt: standing.decidedAt.toISOString(),
        isReversible: standing.outcome === 'approved' && row.isApproved && row.userId !== actingUserId(ctx),
        ...(standing.reason !== null && { reason: standing.reason }),
      },
    }),
    isHolding: row.isHolding,
    ...(parent && { parent }),
    ...(post && { post }),
    replies,
    author,
    history: toHistory(row, decisions),
    sameWords,
  }
}

/** The item, and what only its own page shows. */
export interface HeldRow extends ItemRow {
  isApproved: boolean
  isHolding: boolean
  authorSince: Date
  isGlobalBan: boolean
  parentId: string | null
  editedAt: Date | null
  textDigest: Uint8Array | null
  fileIds: string[]
  mentionedIds: string[]
}

async function readHeld(ctx: Ctx, subject: Subject): Promise<HeldRow> {
  const row = await queryOne<HeldRow>(
    ctx,
    subject.subjectType === 'comment' ? heldComment(ctx, subject) : heldPost(ctx, subject),
  )
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return row
}

const OF_AUTHOR = Prisma.sql`u.created_at as "authorSince", u.is_global_ban as "isGlobalBan"`
const mentionedIn = (column: Sql) => Prisma.sql`
  array(select jsonb_path_query(coalesce(${column}, '[]'), '$[*].userIds[*]') #>> '{}') as "mentionedIds"`

function heldComment(ctx: Ctx, { subjectId }: Subject): Sql {
  return Prisma.sql`
    select ${COMMENT_ITEM}, ${ESCALATION}, ${OF_AUTHOR}, k.need_approval_on_comment_creation as "isHolding",
      ${IS_APPROVED_COMMENT} as "isApproved",
      c.parent_id as "parentId", c.edited_at as "editedAt", text_digest(c.data) as "textDigest",
      array(select jsonb_path_query(coalesce(c.attachments, '[]'), '$[*].fileId') #>> '{}') as "fileIds",
      ${mentionedIn(Prisma.sql`c.mentionees`)}
    from comment c join network_user u on u.user_id = c.user_id join community k on k.community_id = c.community_id
    ${escalationOf('comment')}
    where c.comment_id = ${subjectId} and c.approval_status is not null
      and ${mayInCommunity(ctx, 'reviewComments', Prisma.sql`c.community_id`)}`
}

/** A post that never waited is nothing to review. */
function heldPost(ctx: Ctx, { subjectId }: Subject): Sql {
  return Prisma.sql`
    select ${POST_ITEM}, ${ESCALATION}, ${OF_AUTHOR}, k.need_approval_on_post_creation as "isHolding",
      ${IS_APPROVED_POST} as "isApproved",
      null as "parentId", p.edited_at as "editedAt", text_digest(p.data) as "textDigest",
      array(
        select of_post.data ->> 'fileId' from post of_post
        where (of_post.post_id = p.post_id or of_post.parent_post_id = p.post_id) and of_post.data ->> 'fileId' is not null
        order by of_post.created_at, of_post.post_id) as "fileIds",
      ${mentionedIn(Prisma.sql`p.mentionees`)}
    from post p join network_user u on u.user_id = p.posted_user_id join community k on k.community_id = p.community_id
    ${escalationOf('post')}
    where p.post_id = ${subjectId} and p.queued_at is not null and p.parent_post_id is null
      and ${mayInCommunity(ctx, 'reviewPosts', Prisma.sql`p.community_id`)}`
}

async function readMentioned(ctx: Ctx, userIds: string[]): Promise<ReviewItem['mentioned']> {
  if (userIds.length === 0) return []
  const users = await query<{ userId: string; displayName: string | null }>(
    ctx,
    Prisma.sql`
    select user_id as "userId", display_name as "displayName" from network_user where user_id = any(${userIds}::text[]) order by user_id`,
  )
  return users.map((user) => ({ userId: user.userId, displayName: nameOf(user) }))
}

interface DecisionRow {
  outcome: Outcome
  reason: string | null
  decidedByName: string
  decidedAt: Date
  undoneAt: Date | null
  isReversal: boolean
}

/** Oldest first; uses decision_subject_type_subject_id_decided_at_idx. */
function readDecisions(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<DecisionRow[]> {
  return query<DecisionRow>(
    ctx,
    Prisma.sql`
    select outcome, reason, decided_by_name as "decidedByName", decided_at as "decidedAt", undone_at as "undoneAt",
      is_reversal as "isReversal"
    from decision
    where subject_type = ${subjectType}::subject_type and subject_id = ${subjectId} and outcome in ('approved', 'rejected')
    order by decided_at, decision_id limit 100`,
  )
}

const SAME_WORDS_SHOWN = 5

/** Uses decision_on_text. */
async function readSameWords(ctx: Ctx, row: HeldRow): Promise<SameWords[]> {
  if (row.textDigest === null) return []
  const community = Prisma.sql`d.community_id`
  const rows = await query<{
    subjectType: SameWords['subjectType']
    subjectId: string
    outcome: Outcome
    reason: string | null
    decidedAt: Date
    decidedByName: string
    communityId: string
    communityName: string
  }>(
    ctx,
    Prisma.sql`
    select d.subject_type as "subjectType", d.subject_id as "subjectId", d.outcome, d.reason, d.decided_at as "decidedAt",
      d.decided_by_name as "decidedByName", k.community_id as "communityId",
      coalesce(nullif(k.display_name, ''), k.community_id) as "communityName"
    from decision d join community k on k.community_id = d.community_id
    where d.text_digest = ${row.textDigest} and d.undone_at is null and d.outcome in ('approved', 'rejected')
      and case d.subject_type when 'comment' then ${mayInCommunity(ctx, 'reviewComments', community)}
        when 'post' then ${mayInCommunity(ctx, 'reviewPosts', community)} else false end
    order by d.decided_at desc, d.decision_id desc limit ${SAME_WORDS_SHOWN}`,
  )
  return rows.map(({ communityId, communityName, reason, decidedAt, ...same }) => ({
    ...same,
    ...(reason !== null && { reason }),
    decidedAt: decidedAt.toISOString(),
    community: { communityId, displayName: communityName },
  }))
}

function toHistory(row: HeldRow, decisions: DecisionRow[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [
    { what: 'written', at: row.createdAt.toISOString(), by: nameOf(row) },
    { what: 'held', at: row.queuedAt.toISOString() },
    ...(row.editedAt ? [{ what: 'edited' as const, at: row.editedAt.toISOString(), by: nameOf(row) }] : []),
    ...(row.escalationId !== null
      ? [
          {
            what: 'escalated' as const,
            at: row.escalatedAt.toISOString(),
            by: row.escalatedByName,
            reason: row.escalationNote,
          },
        ]
      : []),
    ...decisions.flatMap((decision) => [
      {
        what: decision.isReversal ? ('reversed' as const) : decision.outcome,
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
