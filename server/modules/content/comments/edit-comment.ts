import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { commentKind } from '#server/modules/content/comments/comment-kind.ts'
import { dataTypesOf } from '#server/modules/content/comments/data-types.ts'
import type { LockedComment } from '#server/modules/content/comments/lock-comment.ts'
import type { CommentEdit, CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { countMentioned, readMentioned } from '#server/modules/content/mentions/read-mentioned.ts'
import { type EditedKind, editContent } from '#server/modules/content/reviewable/edit-content.ts'
import { assertMayEdit } from '#server/modules/content/reviewable/lock-content.ts'

/**
 * Edits a comment; reviewers see that it changed. For its author, unless they are banned or muted, and for EDIT_COMMUNITY_COMMENT there. A public
 * one that a live rule holds as its author changed it waits for review again: to everyone else it is gone until then. What a live rule
 * rejects is rejected, also where it is pending. Fails with NOT_FOUND, BANNED, MUTED, FORBIDDEN (also for a deleted one, and for an author's own
 * while it is pending and the network does not allow that), BLOCKED_WORD and LINK_NOT_ALLOWED.
 */
export function editComment(ctx: Ctx, input: CommentEdit & { commentId: string }): Promise<CommentsEnvelope> {
  return editContent(ctx, editedComment, input.commentId, input)
}

export const editedComment: EditedKind<CommentEdit, LockedComment, CommentsEnvelope> = {
  ...commentKind,
  authorizeEdit,
  textsOf: ({ data }) => [data],
  merge: async (ctx, comment, edit) => {
    const data = edit.data ?? comment.data
    const attachments = edit.attachments ?? comment.attachments ?? []
    const dataTypes = dataTypesOf({ data, attachments })
    if (dataTypes.length === 0) throw new DomainError('INVALID_PARAMETERS', { detail: ['data.text: is required'] })

    const mentionees = edit.mentionees ? await readMentioned(ctx, edit.mentionees) : comment.mentionees
    const media = attachments.map(({ type }) => type)
    return {
      judged: { data, mentions: countMentioned(mentionees ?? []), media },
      set: sql`
        data = ${JSON.stringify(data)}::jsonb, attachments = ${JSON.stringify(attachments)}::jsonb, data_types = ${dataTypes},
        metadata = coalesce(${edit.metadata ? JSON.stringify(edit.metadata) : null}::jsonb, metadata),
        mentionees = ${mentionees && JSON.stringify(mentionees)}::jsonb`,
    }
  },
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
