import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { readSignals } from '#server/modules/content/signals/read-signals.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'
import {
  COMMENT_ITEM,
  IS_APPROVED_COMMENT,
  IS_APPROVED_POST,
  type ItemRow,
  namedItems,
  POST_ITEM,
  toQueueItem,
  urgencyColumns,
} from '#server/modules/review/queue/queue-item.ts'
import { readAuthor } from '#server/modules/review/queue/read-author.ts'
import {
  type DecisionRow,
  readDecisions,
  readFlags,
  readMentioned,
  readSameWords,
  standingOf,
  toEntries,
} from '#server/modules/review/queue/read-record.ts'
import { readReport } from '#server/modules/review/queue/read-report.ts'
import { readParent, readPost, readReplies } from '#server/modules/review/queue/read-surroundings.ts'
import { isReportInView } from '#server/modules/review/queue/reports-in-view.ts'
import type { HistoryEntry, ItemInput, ReviewItem, Subject } from '#server/modules/review/queue/schema.ts'
import { highlightsOf, reviewReasonsOf } from '#server/modules/rules/judging/review-reasons.ts'

/** Everything needed to judge an item that is or was held or reported. NOT_FOUND for callers who may not review it. */
export async function readItem(
  ctx: Ctx,
  { isReported, isEscalated, isMine, ...subject }: ItemInput,
): Promise<ReviewItem> {
  const view = (isEscalated && 'escalated') || (isMine && 'mine')
  const isReport = isReported || (view && (await isReportInView(ctx, view, subject)))
  const report = isReport ? await readReport(ctx, subject) : undefined
  if (report) return report
  const row = await readHeld(ctx, subject)
  const [files, mentioned, parent, post, replies, author, decisions, flags, signals, sameWords] = await Promise.all([
    readFiles(ctx, row.fileIds),
    readMentioned(ctx, row.mentionedIds),
    readParent(ctx, row),
    readPost(ctx, row),
    readReplies(ctx, row),
    readAuthor(ctx, row),
    readDecisions(ctx, subject),
    readFlags(ctx, subject),
    readSignals(ctx, subject),
    readSameWords(ctx, row.textDigest),
  ])
  const decided = row.waits ? undefined : standingOf(decisions, ['approved', 'rejected', 'deleted'])

  return {
    item: toQueueItem(ctx, row),
    files,
    mentioned,
    ...(decided && {
      decided: {
        ...decided,
        isReversible: decided.outcome === 'approved' && row.isApproved && row.userId !== actingUserId(ctx),
      },
    }),
    isWaiting: row.waits,
    isHolding: row.isHolding,
    ...(parent && { parent }),
    ...(post && { post }),
    replies,
    author,
    history: toHistory(row, decisions),
    flags,
    signals,
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
  const select = { comment: heldComment, post: heldPost, message: undefined, user: undefined }[subject.subjectType]
  const row = select && (await queryOne<HeldRow>(ctx, select(ctx, subject)))
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return row
}

const OF_ITEM = sql`, u.created_at as author_since, u.is_global_ban,
  ${reviewReasonsOf(sql`item.subject_type`, sql`item.subject_id`, sql`item.edited_at`)} as review_reasons,
  ${highlightsOf(sql`item.subject_type`, sql`item.subject_id`, sql`item.edited_at`)} as highlights`
const mentionedIn = (column: Sql) => sql`
  array(select jsonb_path_query(coalesce(${column}, '[]'), '$[*].userIds[*]') #>> '{}') as mentioned_ids`

function heldComment(ctx: Ctx, { subjectId }: Subject): Sql {
  return namedItems(
    sql`
    select ${COMMENT_ITEM} ${urgencyColumns(sql`c`)}, ${IS_APPROVED_COMMENT} as is_approved, c.parent_id, c.edited_at,
      text_digest(c.data) as text_digest,
      array(select jsonb_path_query(coalesce(c.attachments, '[]'), '$[*].fileId') #>> '{}') as file_ids,
      ${mentionedIn(sql`c.mentionees`)}
    from comment c
    where c.comment_id = ${subjectId} and c.approval_status is not null
      and ${mayInCommunity(ctx, 'reviewComments', sql`c.community_id`)}`,
    { isCounted: true, more: sql`${OF_ITEM}, k.need_approval_on_comment_creation as is_holding` },
  )
}

/** A post that was never pending can't be reviewed. */
function heldPost(ctx: Ctx, { subjectId }: Subject): Sql {
  return namedItems(
    sql`
    select ${POST_ITEM} ${urgencyColumns(sql`p`)}, ${IS_APPROVED_POST} as is_approved, null as parent_id, p.edited_at,
      text_digest(p.data) as text_digest,
      array(
        select of_post.data ->> 'fileId' from post of_post
        where (of_post.post_id = p.post_id or of_post.parent_post_id = p.post_id) and of_post.data ->> 'fileId' is not null
        order by of_post.created_at, of_post.post_id) as file_ids,
      ${mentionedIn(sql`p.mentionees`)}
    from post p
    where p.post_id = ${subjectId} and p.queued_at is not null and p.parent_post_id is null
      and ${mayInCommunity(ctx, 'reviewPosts', sql`p.community_id`)}`,
    { isCounted: true, more: sql`${OF_ITEM}, k.need_approval_on_post_creation as is_holding` },
  )
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
    ...toEntries(decisions),
  ]
  return entries.sort((one, other) => one.at.localeCompare(other.at))
}
