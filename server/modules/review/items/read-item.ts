import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type CommunityAction, mayInCommunity } from '#server/core/permissions.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import type { HeldType } from '#server/modules/content/items/held.ts'
import { readSignals } from '#server/modules/content/signals/read-signals.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { countEarlier } from '#server/modules/review/items/count-earlier.ts'
import { readAuthor } from '#server/modules/review/items/read-author.ts'
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
import { readRejectedMessage, readReport } from '#server/modules/review/items/read-report.ts'
import { readParent, readPost, readReplies } from '#server/modules/review/items/read-surroundings.ts'
import type { HistoryEntry, ItemInput, ReviewItem } from '#server/modules/review/items/schema.ts'
import { kindInView } from '#server/modules/review/queue/across-kinds.ts'
import { itemsOf, mayReviewHeld } from '#server/modules/review/queue/held.ts'
import {
  HELD_ITEM,
  IS_APPROVED_COMMENT,
  IS_APPROVED_POST,
  IS_RESTORABLE_COMMENT,
  IS_RESTORABLE_POST,
  type ItemRow,
  namedItems,
  toQueueItem,
  URGENCY,
  wholeTexts,
} from '#server/modules/review/queue/queue-item.ts'
import {
  highlightsOf,
  isByRules,
  type Rejection,
  rejectionOf,
  reviewReasonsOf,
} from '#server/modules/rules/judging/review-reasons.ts'
import { rulesHold } from '#server/modules/rules/judging/rules-hold.ts'
import { mayMute } from '#server/modules/spaces/sanctions/may-mute.ts'

/** Everything needed to judge an item that is or was held or reported. NOT_FOUND for callers who may not review it. */
export async function readItem(
  ctx: Ctx,
  { isReported, isEscalated, isMine, areQuotesWhole, ...subject }: ItemInput,
): Promise<ReviewItem> {
  const view = (isEscalated && 'escalated') || (isMine && 'mine')
  const isReport = isReported || (view && (await kindInView(ctx, view, subject)) === 'reported')
  const report = isReport ? await readReport(ctx, subject, { areQuotesWhole }) : undefined
  if (report) return report
  const rejected =
    subject.subjectType === 'message' && (await readRejectedMessage(ctx, subject.subjectId, { areQuotesWhole }))
  if (rejected) return rejected
  const row = await readHeld(ctx, subject)
  const [earlier, files, mentioned, parent, post, replies, author, decisions, flags, signals, sameWords] =
    await Promise.all([
      countEarlier(ctx, subject),
      readFiles(ctx, row.fileIds),
      readMentioned(ctx, row.mentionedIds),
      readParent(ctx, row, { areQuotesWhole }),
      readPost(ctx, row, { areQuotesWhole }),
      readReplies(ctx, row),
      readAuthor(ctx, row),
      readDecisions(ctx, subject),
      readFlags(ctx, subject),
      readSignals(ctx, subject),
      readSameWords(ctx, row.textDigest),
    ])
  return {
    item: toQueueItem(ctx, { ...row, queuedAt: row.queuedAt ?? row.createdAt }),
    ...wholeTexts(row),
    earlier,
    ...editingOf(ctx, row),
    files,
    mentioned,
    ...(!row.waits && decidedOn(ctx, row, decisions)),
    isWaiting: row.waits,
    isHolding: holdingOf(row),
    ...(row.mute && { mute: { ...row.mute, endsAt: timestampOf(new Date(row.mute.endsAt)) } }),
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

function editingOf(ctx: Ctx, { editedByName, mayEdit, waits, userId }: HeldRow) {
  const isEditable = mayEdit && waits && userId !== actingUserId(ctx)
  return { ...(editedByName !== null && { editedBy: editedByName }), mayEdit: isEditable }
}

/** Who decided on it last: a person, or rules that rejected it. */
function decidedOn(ctx: Ctx, row: HeldRow, decisions: DecisionRow[]): Pick<ReviewItem, 'decided'> {
  const { rejection } = row
  const isOwn = row.userId === actingUserId(ctx)
  const decided = decisionInForce(decisions, ['approved', 'rejected', 'deleted'])
  if (row.isRejected && rejection && !(decided && Date.parse(decided.decidedAt) >= Date.parse(rejection.at))) {
    const by = { decidedByName: rejection.by.join(', '), decidedAt: timeOf(rejection), isByRules: true }
    return { decided: { outcome: 'rejected', ...by, isReversible: false, isRestorable: row.isRestorable && !isOwn } }
  }
  if (decided === undefined) return {}
  return { decided: { ...decided, isReversible: decided.outcome === 'approved' && row.isApproved && !isOwn } }
}

const timeOf = ({ at }: Rejection) => timestampOf(new Date(at))

/** The item, and what only its own page shows. */
export interface HeldRow extends Omit<ItemRow, 'queuedAt'> {
  /** Null for what rules rejected at once. */
  queuedAt: Date | null
  rejection: Rejection | null
  isApproved: boolean
  isRejected: boolean
  isRestorable: boolean
  /** Whether its community holds all new items. */
  isHolding: boolean
  /** Whether live rules hold new items there. */
  rulesHold: boolean
  mute: ReviewItem['mute'] | null
  authorSince: Date
  isGlobalBan: boolean
  parentId: string | null
  editedAt: Date | null
  /** The reviewer who changed its text last, by name. */
  editedByName: string | null
  mayEdit: boolean
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

const CONTENT = {
  subjectType: sql`item.subject_type::subject_type`,
  subjectId: sql`item.subject_id`,
  editedAt: sql`item.edited_at`,
}
const OF_ITEM = sql`, u.created_at as author_since, u.is_global_ban,
  ${reviewReasonsOf(CONTENT, sql`case when item.is_rejected then 'reject' else 'hold' end`)} as review_reasons,
  ${highlightsOf(CONTENT)} as highlights, ${rejectionOf(CONTENT)} as rejection,
  (select ${DESK_NAME} from network_user u left join staff_account a on a.network_user_id = u.user_id where u.user_id = item.edited_by) as edited_by_name`
/** Whether the caller may change what others write in the item's community. */
const mayEdit = (ctx: Ctx, action: CommunityAction) =>
  sql`${mayInCommunity(ctx, action, sql`item.community_id`)} as may_edit`
/** The mute in force that a rule made for the item. Uses community_mute_in_force. */
function muteOf(ctx: Ctx): Sql {
  const communityId = sql`item.community_id`
  return sql`(
    select jsonb_build_object('endsAt', m.ends_at, 'rule', by_rule.name, 'mayEnd', ${mayMute(ctx, sql`u.user_id`, { communityId })})
    from mute m join rule by_rule on by_rule.rule_id = m.muted_by
    where m.community_id = ${communityId} and m.user_id = u.user_id and m.lifted_at is null and m.ends_at > ${ctx.now()}
      and m.subject_type = item.subject_type::subject_type and m.subject_id = item.subject_id)`
}

const mentionedIn = (column: Sql) => sql`
  array(select jsonb_path_query(coalesce(${column}, '[]'), '$[*].userIds[*]') #>> '{}') as mentioned_ids`

const HELD = { subjectType: sql`i.subject_type::subject_type`, subjectId: sql`i.subject_id` }

function heldComment(ctx: Ctx, subject: Subject): Sql {
  return namedItems(
    sql`
    select ${HELD_ITEM}, ${URGENCY}, ${IS_APPROVED_COMMENT} as is_approved, c.approval_status = 'rejected' as is_rejected,
      ${IS_RESTORABLE_COMMENT} and ${isByRules(HELD)} as is_restorable, c.parent_id, c.edited_at, c.edited_by, text_digest(c.data) as text_digest,
      array(select jsonb_path_query(coalesce(c.attachments, '[]'), '$[*].fileId') #>> '{}') as file_ids,
      ${mentionedIn(sql`c.mentionees`)}
    from ${itemsOf([subject])} join comment c on c.comment_id = i.subject_id
    where ${mayReviewHeld(ctx)}`,
    {
      isCounted: true,
      more: sql`${OF_ITEM}, ${holding('comment')}, ${mayEdit(ctx, 'editComments')}, ${muteOf(ctx)} as mute`,
    },
  )
}

/** A post that was never pending, nor declined, can't be reviewed. */
function heldPost(ctx: Ctx, subject: Subject): Sql {
  return namedItems(
    sql`
    select ${HELD_ITEM}, ${URGENCY}, ${IS_APPROVED_POST} as is_approved, p.feed_type = 'declined' and not p.is_deleted as is_rejected,
      ${IS_RESTORABLE_POST} and ${isByRules(HELD)} as is_restorable,
      null as parent_id, p.edited_at, p.edited_by, text_digest(p.data) as text_digest,
      array(
        select of_post.data ->> 'fileId' from post of_post
        where (of_post.post_id = p.post_id or of_post.parent_post_id = p.post_id) and of_post.data ->> 'fileId' is not null
        order by of_post.created_at, of_post.post_id) as file_ids,
      ${mentionedIn(sql`p.mentionees`)}
    from ${itemsOf([subject])} join post p on p.post_id = i.subject_id
    where ${mayReviewHeld(ctx)}`,
    {
      isCounted: true,
      more: sql`${OF_ITEM}, ${holding('post')}, ${mayEdit(ctx, 'editPosts')}, ${muteOf(ctx)} as mute`,
    },
  )
}

/** What holds new items in the community: the setting, and rules. */
const holding = (type: HeldType) => sql`
  k.need_approval_on_${sql.raw(type)}_creation as is_holding, ${rulesHold(type, sql`k.community_id`)} as rules_hold`

/** Where only rules hold, what no rule names was held while the setting was on, or by a rule that is gone: nothing is known of why. */
function holdingOf({ isHolding, rulesHold }: Pick<HeldRow, 'isHolding' | 'rulesHold'>): boolean | undefined {
  return rulesHold && !isHolding ? undefined : isHolding
}

function toHistory(row: HeldRow, decisions: DecisionRow[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [
    { what: 'written', at: timestampOf(row.createdAt), by: nameOf(row) },
    ...(row.queuedAt ? [{ what: 'held' as const, at: timestampOf(row.queuedAt) }] : []),
    ...(row.rejection
      ? [{ what: 'rejected' as const, at: timeOf(row.rejection), by: row.rejection.by.join(', ') }]
      : []),
    ...(row.editedAt
      ? [{ what: 'edited' as const, at: timestampOf(row.editedAt), by: row.editedByName ?? nameOf(row) }]
      : []),
    ...escalationEntries(row),
    ...toEntries(decisions),
  ]
  return entries.sort((one, other) => one.at.localeCompare(other.at))
}
