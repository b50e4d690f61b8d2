import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { readSignals } from '#server/modules/content/signals/read-signals.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { countEarlier } from '#server/modules/review/items/count-earlier.ts'
import { readAround } from '#server/modules/review/items/read-around.ts'
import { readAuthor } from '#server/modules/review/items/read-author.ts'
import { readRecent } from '#server/modules/review/items/read-recent.ts'
import {
  type DecisionRow,
  decisionInForce,
  escalationEntries,
  readDecisions,
  readFlags,
  readMentioned,
  readSameWords,
  toEntries,
} from '#server/modules/review/items/read-record.ts'
import { rejectedMessage } from '#server/modules/review/items/read-rejected-message.ts'
import { type QuotesWanted, readParent, readPost, readReplies } from '#server/modules/review/items/read-surroundings.ts'
import type { HistoryEntry, OpenConversationInput, ReviewItem } from '#server/modules/review/items/schema.ts'
import {
  mayReviewReport,
  type ReportedRow,
  reportedTexts,
  selectReported,
  toReportedItem,
} from '#server/modules/review/queue/reported.ts'
import {
  flaggingRulesOf,
  highlightsOf,
  type Rejection,
  rejectionOf,
  reviewReasonsOf,
} from '#server/modules/rules/judging/review-reasons.ts'

/**
 * Everything needed to judge an item that is or was reported; undefined if the caller may not review it. In a conversation they
 * are not in, neither the message nor its surroundings are shown until they open it.
 */
export async function readReport(ctx: Ctx, subject: Subject, wanted: QuotesWanted): Promise<ReviewItem | undefined> {
  const row = await readReported(ctx, subject)
  return row && assemble(ctx, row, { isOpened: row.isClosed === true && (await hasOpened(ctx, subject)), ...wanted })
}

/** How long a caller who opened a conversation can read it, to judge the message. */
const OPEN_FOR_MS = 30 * 60_000

/** Uses audit_subject_type_subject_id_audit_id_idx. */
async function hasOpened(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<boolean> {
  const opened = await queryOne(
    ctx,
    sql`
    select true as opened from audit
    where subject_type = ${subjectType} and subject_id = ${subjectId} and action = ${OPENED} and actor_id = ${actingUserId(ctx) ?? null}
      and at > ${new Date(ctx.now().getTime() - OPEN_FOR_MS)} limit 1`,
  )
  return opened !== undefined
}

const OPENED = 'message.opened'

/**
 * Opens a conversation around one reported message, for callers who may read conversations. Logs who opened it and why, and
 * returns what was read. Fails with NOT_FOUND for what the caller may not review.
 */
export function openConversation(ctx: Ctx, { messageId, reason }: OpenConversationInput): Promise<ReviewItem> {
  return inTransaction(ctx, async (ctx) => {
    const row = await readReported(ctx, { subjectType: 'message', subjectId: messageId })
    if (row === undefined) throw new DomainError('NOT_FOUND')
    await recordAudit(ctx, {
      action: OPENED,
      subjectType: 'message',
      subjectId: messageId,
      channelId: row.channelId,
      text: reason,
    })
    return assemble(ctx, row, { isOpened: true })
  })
}

/** Everything needed to judge a message that rules rejected, for those who may restore it; undefined for any other. */
export async function readRejectedMessage(
  ctx: Ctx,
  messageId: string,
  wanted: QuotesWanted,
): Promise<ReviewItem | undefined> {
  const more = sql`${MORE(reviewReasonsOf(CONTENT, sql`'reject'`))}, ${rejectionOf(CONTENT)} as rejection, m.is_deleted`
  const row = await queryOne<Reported & { rejection: Rejection | null; isDeleted: boolean }>(
    ctx,
    sql`${selectReported(ctx, { from: sql`${rejectedMessage(messageId)} i`, more })} where ${mayReviewReport(ctx)}`,
  )
  if (!row?.rejection) return undefined
  const { rejection, isDeleted, ...reported } = row
  const shown = await assemble(ctx, reported, { isOpened: false, ...wanted })
  const [at, by] = [timestampOf(new Date(rejection.at)), rejection.by.join(', ')]
  const history = shown.history.map((entry) =>
    entry.what === 'reported' ? { what: 'rejected' as const, at, by } : entry,
  )
  if (!isDeleted || row.reviewReasons === null) return { ...shown, history }
  const isRestorable = !row.isWithdrawn && row.userId !== actingUserId(ctx)
  const decided = { outcome: 'rejected' as const, decidedByName: by, decidedAt: at, isReversible: false }
  return { ...shown, history, decided: { ...decided, isByRules: true, isRestorable } }
}

interface Reported extends ReportedRow {
  authorSince: Date
  isGlobalBan: boolean
  editedAt: Date | null
  openedAt: Date
  reportedTitle: string | null
  reportedText: string | null
  textDigest: Uint8Array | null
  fileIds: string[]
  mentionedIds: string[]
}

const CONTENT = {
  subjectType: sql`i.subject_type::subject_type`,
  subjectId: sql`i.subject_id`,
  editedAt: sql`coalesce(c.edited_at, p.edited_at)`,
}
const MORE = (reasons: Sql) => sql`, ${reasons} as review_reasons, ${highlightsOf(CONTENT)} as highlights,
  u.created_at as author_since, u.is_global_ban, coalesce(c.edited_at, p.edited_at, m.edited_at) as edited_at,
  i.opened_at, i.title as reported_title, i.text as reported_text, text_digest(coalesce(c.data, p.data, m.data)) as text_digest,
  case when p.post_id is not null then array(
    select of_post.data ->> 'fileId' from post of_post
    where (of_post.post_id = p.post_id or of_post.parent_post_id = p.post_id) and of_post.data ->> 'fileId' is not null
    order by of_post.created_at, of_post.post_id)
  else array_remove(array(select jsonb_path_query(coalesce(c.attachments, '[]'), '$[*].fileId') #>> '{}') || m.file_id, null) end as file_ids,
  array(select jsonb_path_query(coalesce(c.mentionees, p.mentionees, m.mentionees, '[]'), '$[*].userIds[*]') #>> '{}') as mentioned_ids`

/** The report, if the caller may review it; undefined for what was erased. */
function readReported(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<Reported | undefined> {
  return queryOne<Reported>(
    ctx,
    sql`
    ${selectReported(ctx, { from: sql`review_item i`, more: MORE(flaggingRulesOf(CONTENT)) })}
    where i.subject_type = ${subjectType} and i.subject_id = ${subjectId} and i.kind = 'reported' and ${mayReviewReport(ctx)}
      and (i.subject_type = 'user' or coalesce(c.comment_id, p.post_id, m.message_id) is not null)`,
  )
}

async function assemble(
  ctx: Ctx,
  row: Reported,
  { isOpened, ...wanted }: QuotesWanted & { isOpened: boolean },
): Promise<ReviewItem> {
  const subject = { subjectType: row.subjectType, subjectId: row.subjectId }
  const isClosed = row.isClosed === true && !isOpened
  const written = { ...subject, parentId: row.parentId, postId: row.postId, communityId: row.communityId ?? '' }
  const isMessage = row.subjectType === 'message'
  const isWritten = row.subjectType === 'comment' || row.subjectType === 'post'
  const [files, mentioned, parent, post, replies, author, decisions, flags, signals, beside, sameWords] =
    await Promise.all([
      readFiles(ctx, isClosed ? [] : row.fileIds),
      readMentioned(ctx, isClosed ? [] : row.mentionedIds),
      isWritten ? readParent(ctx, written, wanted) : undefined,
      readPost(ctx, written, wanted),
      isWritten ? readReplies(ctx, written) : { held: 0, visible: 0 },
      readAuthor(ctx, row),
      readDecisions(ctx, subject),
      readFlags(ctx, subject),
      isClosed ? [] : readSignals(ctx, subject),
      readBeside(ctx, row, { isClosed, ...wanted }),
      isWritten ? readSameWords(ctx, row.textDigest) : [],
    ])
  const decided = row.waits
    ? undefined
    : decisionInForce(decisions, ['dismissed', 'deleted', isMessage ? 'approved' : 'rejected'])
  return {
    item: toReportedItem(ctx, row, { isOpened }),
    ...reportedTexts(row, { isOpened }),
    ...asReported(row, { isClosed }),
    files,
    mentioned,
    ...(decided && { decided }),
    isWaiting: row.waits,
    ...(parent && { parent }),
    ...(post && { post }),
    replies,
    author,
    history: toHistory(row, decisions),
    flags,
    signals,
    ...beside,
    sameWords,
  }
}

/** What it said when the report opened, if it says something else now. Imports may not know it. */
function asReported(row: Reported, { isClosed }: { isClosed: boolean }): Pick<ReviewItem, 'asReported'> {
  const now = reportedTexts(row, { isOpened: true })
  const [title, text] = [row.reportedTitle ?? undefined, row.reportedText ?? '']
  if (isClosed || (row.reportedTitle === null && row.reportedText === null)) return {}
  if (text === now.text && (title ?? '') === (now.title ?? '')) return {}
  return { asReported: { ...(title !== undefined && { title }), text } }
}

/** How many texts of before are kept, and what is shown around a reported message or of a reported person. */
async function readBeside(
  ctx: Ctx,
  { subjectType, subjectId }: Reported,
  { isClosed, ...wanted }: QuotesWanted & { isClosed: boolean },
): Promise<Pick<ReviewItem, 'earlier' | 'around' | 'recent'>> {
  if (isClosed) return { earlier: 0 }
  const earlier = await countEarlier(ctx, { subjectType, subjectId })
  if (subjectType === 'user') return { earlier, recent: await readRecent(ctx, subjectId, wanted) }
  if (subjectType === 'message') return { earlier, around: await readAround(ctx, subjectId, wanted) }
  return { earlier }
}

function toHistory(row: Reported, decisions: DecisionRow[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [
    ...(row.subjectType === 'user'
      ? []
      : [{ what: 'written' as const, at: timestampOf(row.createdAt), by: nameOf(row) }]),
    ...(row.editedAt ? [{ what: 'edited' as const, at: timestampOf(row.editedAt), by: nameOf(row) }] : []),
    { what: 'reported', at: timestampOf(row.openedAt) },
    ...escalationEntries(row),
    ...toEntries(decisions),
  ]
  return entries.sort((one, other) => one.at.localeCompare(other.at))
}
