import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { publishComment } from '#server/modules/content/comments/comment-event.ts'
import { dataTypesOf } from '#server/modules/content/comments/data-types.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { holdComment } from '#server/modules/content/comments/hold-comment.ts'
import { type LockedComment, lockComment } from '#server/modules/content/comments/lock-comment.ts'
import { countMentioned, readMentioned } from '#server/modules/content/comments/read-mentioned.ts'
import { rejectComment } from '#server/modules/content/comments/reject-comment.ts'
import type { CommentEdit, CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { flagByRules } from '#server/modules/content/flags/flag.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { judgeEdit } from '#server/modules/content/reviewable/judge-edit.ts'
import { assertMayEdit } from '#server/modules/content/reviewable/lock-content.ts'
import { recordEdit } from '#server/modules/content/reviewable/record-change.ts'
import { assertTextAllowed } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import { recordMatches } from '#server/modules/rules/judging/judge-content.ts'
import { muteAuthor } from '#server/modules/rules/judging/mute-author.ts'

/**
 * Edits a comment; reviewers see that it changed. For its author, unless they are banned or muted, and for EDIT_COMMUNITY_COMMENT there. A public
 * one that a live rule holds as its author changed it waits for review again: to everyone else it is gone until then. What a live rule
 * rejects is rejected, also where it is pending. Fails with NOT_FOUND, BANNED, MUTED, FORBIDDEN (also for a deleted one, and for an author's own
 * while it is pending and the network does not allow that), BLOCKED_WORD and LINK_NOT_ALLOWED.
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
    const store = async (status: LockedComment['approvalStatus']) => {
      await write(ctx, comment, edited, status)
      await recordEdit(ctx, 'comment', comment)
    }
    if (judgement.rejecting.length > 0) await rejectComment(ctx, comment, judgement, () => store('rejected'))
    else if (comment.isPublic && judgement.holding.length > 0)
      await holdComment(ctx, comment, judgement, () => store('pending'))
    else {
      await store(comment.approvalStatus)
      await publishComment(ctx, comment, { name: 'v3.comment.didUpdate', deskName: 'desk.comment.didEdit' })
      if (comment.isPublic)
        await flagByRules(ctx, flaggableComment, { id: comment.subjectId, rules: judgement.flagging })
    }
    await recordMatches(ctx, { kind: 'comment', subjectId: comment.subjectId }, judgement)
    await putItems(ctx, 'comment', [comment.subjectId])
    await muteAuthor(ctx, { kind: 'comment', ...comment }, judgement)
    return buildCommentsEnvelope(ctx, [comment.subjectId])
  })
}

async function authorizeEdit(ctx: Ctx, comment: LockedComment): Promise<void> {
  assertMayEdit(ctx, comment)
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
  const isNewlyHeld = status === 'pending' && comment.approvalStatus !== 'pending'
  await execute(
    ctx,
    sql`
    update comment set data = ${JSON.stringify(data)}::jsonb, attachments = ${JSON.stringify(attachments ?? [])}::jsonb,
      data_types = ${dataTypes},
      metadata = coalesce(${metadata ? JSON.stringify(metadata) : null}::jsonb, metadata),
      mentionees = ${mentionees && JSON.stringify(mentionees)}::jsonb,
      approval_status = ${status}::approval_status, is_deleted = ${status === 'rejected'},
      queued_at = case when ${isNewlyHeld} then ${ctx.now()} else queued_at end,
      version = version + 1, edited_at = ${ctx.now()}, updated_at = ${ctx.now()}
    where comment_id = ${comment.subjectId} and version = ${comment.version}`,
  )
}
