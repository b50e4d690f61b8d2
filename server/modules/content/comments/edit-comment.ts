import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import {
  buildCommentsEnvelope,
  buildPublicCommentsEnvelope,
} from '#server/modules/content/comments/build-comments-envelope.ts'
import { publishComment } from '#server/modules/content/comments/comment-event.ts'
import { countVisible } from '#server/modules/content/comments/count-visible.ts'
import { commentKey, dataTypesOf } from '#server/modules/content/comments/data-types.ts'
import { type LockedComment, lockComment } from '#server/modules/content/comments/lock-comment.ts'
import { countMentioned, readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import type { CommentEdit, CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { judgeEdit } from '#server/modules/content/reviewable/judge-edit.ts'
import { assertMayEdit } from '#server/modules/content/reviewable/lock-content.ts'
import { recordEdit } from '#server/modules/content/reviewable/record-change.ts'
import { recordDelta } from '#server/modules/ledger/counts/record-delta.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import { type Judgement, recordMatches, rulesOf } from '#server/modules/rules/judging/judge-content.ts'

/**
 * Edits a comment; reviewers see that it changed. For its author, unless they are banned, and for EDIT_COMMUNITY_COMMENT there. A public
 * one that a live rule holds as its author changed it waits for review again: to everyone else it is gone until then. Fails with NOT_FOUND,
 * BANNED, FORBIDDEN (also for a deleted one, and for an author's own while it is pending and the network does not allow that), BLOCKED_WORD
 * and LINK_NOT_ALLOWED.
 */
export function editComment(ctx: Ctx, input: CommentEdit & { commentId: string }): Promise<CommentsEnvelope> {
  return inTransaction(ctx, async (ctx) => {
    const comment = await lockComment(ctx, input.commentId)
    await authorizeEdit(ctx, comment)
    await assertTextAllowed(ctx, [input.data])

    const edited = await merge(ctx, comment, input)
    const judgement = await judgeEdit(ctx, comment, {
      kind: 'comment',
      data: edited.data,
      mentions: countMentioned(edited.mentionees ?? []),
      media: (edited.attachments ?? []).map(({ type }) => type),
    })
    if (comment.isPublic && judgement.live.length > 0) await hold(ctx, comment, edited, judgement)
    else {
      await write(ctx, comment, edited, comment.approvalStatus)
      await recordEdit(ctx, 'comment', comment)
      await publishComment(ctx, comment, { name: 'v3.comment.didUpdate', deskName: 'desk.comment.didEdit' })
    }
    await recordMatches(ctx, { kind: 'comment', subjectId: comment.subjectId }, judgement)
    return buildCommentsEnvelope(ctx, [comment.subjectId])
  })
}

/** Others learn that it is gone, with its text before the edit; desks learn that it is held. */
async function hold(ctx: Ctx, comment: LockedComment, edited: EditedComment, judgement: Judgement): Promise<void> {
  const envelope = await buildPublicCommentsEnvelope(ctx, [comment.subjectId])
  await write(ctx, comment, edited, 'pending')
  if (comment.communityId !== null) await recordDelta(ctx, 'held_comments', comment.communityId, 1)
  await countVisible(ctx, comment, -1)
  await recordEdit(ctx, 'comment', comment, {
    before: { ...(comment.approvalStatus && { approvalStatus: comment.approvalStatus }) },
    after: { approvalStatus: 'pending', ...rulesOf(judgement) },
  })
  const deskName = 'desk.comment.didHold'
  await publishComment(ctx, comment, { name: 'v3.comment.didDelete', deskName, envelope })
  const held = { ...comment, isPublic: false }
  await publishComment(ctx, held, { name: 'v3.comment.didUpdate', deskName, atDesk: rulesOf(judgement) })
}

async function authorizeEdit(ctx: Ctx, comment: LockedComment): Promise<void> {
  assertMayEdit(comment)
  if (comment.approvalStatus !== 'pending' || comment.mayEdit) return

  const allowed = await queryOne(
    ctx,
    sql`select 1 from network_settings where is_allow_edit_comment_when_reviewing_enabled`,
  )
  if (allowed === undefined) throw new DomainError('FORBIDDEN')
}

/** The comment as it becomes. */
interface EditedComment extends Pick<LockedComment, 'data' | 'attachments' | 'mentionees'> {
  dataTypes: string[]
  metadata: CommentEdit['metadata']
}

async function merge(ctx: Ctx, comment: LockedComment, edit: CommentEdit): Promise<EditedComment> {
  const data = edit.data ?? comment.data
  const attachments = edit.attachments ?? comment.attachments
  const dataTypes = dataTypesOf({ data, attachments })
  if (dataTypes.length === 0) throw new DomainError('INVALID_PARAMETERS', { detail: ['data.text: is required'] })

  const mentionees = edit.mentionees ? await readMentioned(ctx, edit.mentionees) : comment.mentionees
  return { data, attachments, dataTypes, mentionees, metadata: edit.metadata }
}

async function write(
  ctx: Ctx,
  comment: LockedComment,
  { data, attachments, dataTypes, mentionees, metadata }: EditedComment,
  status: LockedComment['approvalStatus'],
): Promise<void> {
  const textKey = status === 'pending' ? commentKey(comment.communityId, { data, attachments }) : null
  await execute(
    ctx,
    sql`
    update comment set data = ${JSON.stringify(data)}::jsonb, attachments = ${JSON.stringify(attachments ?? [])}::jsonb,
      data_types = ${dataTypes}, text_key = ${textKey}::uuid, metadata = coalesce(${metadata ? JSON.stringify(metadata) : null}::jsonb, metadata),
      mentionees = ${mentionees && JSON.stringify(mentionees)}::jsonb,
      approval_status = ${status}::approval_status,
      queued_at = case when ${status !== comment.approvalStatus} then ${ctx.now()} else queued_at end,
      version = version + 1, edited_at = ${ctx.now()}, updated_at = ${ctx.now()}
    where comment_id = ${comment.subjectId} and version = ${comment.version}`,
  )
}
