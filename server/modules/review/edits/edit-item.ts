import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { editedComment } from '#server/modules/content/comments/edit-comment.ts'
import { Body } from '#server/modules/content/comments/schema.ts'
import { lockHeldItem } from '#server/modules/content/items/lock-items.ts'
import { editedPost } from '#server/modules/content/posts/edit-post.ts'
import { type EditedKind, editContent } from '#server/modules/content/reviewable/edit-content.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { assertUnclaimed } from '#server/modules/review/decisions/may-decide.ts'
import { throwChanged } from '#server/modules/review/decisions/record-decision.ts'
import type { EditedItem, EditItemInput } from '#server/modules/review/edits/schema.ts'

/**
 * Changes the text of a pending comment or post, which stays pending: as its reviewer, with EDIT_COMMUNITY_COMMENT or EDIT_COMMUNITY_POST there. It is
 * marked as edited by a reviewer until its author edits it; what it said before is kept as evidence. Rules don't judge it, word lists do. Fails with NOT_FOUND
 * and FORBIDDEN as deciding does, also for one's own work, CHANGED if it was edited, claimed or decided since, INVALID_PARAMETERS if it would say the same, or nothing,
 * BLOCKED_WORD and LINK_NOT_ALLOWED.
 */
export async function editItem(ctx: Ctx, input: EditItemInput): Promise<EditedItem> {
  const { subjectType, subjectId, version } = input
  if (subjectType === 'comment') await editContent(ctx, byReviewer(editedComment, input), subjectId, {})
  else await editContent(ctx, byReviewer(editedPost, input), subjectId, {})
  return { subjectType, subjectId, version: version + 1 }
}

interface WithData extends LockedContent {
  data: Record<string, unknown> | null
  /** A comment's. */
  attachments?: unknown[] | null
  /** A post's, with those of its attachments. */
  dataTypes?: string[]
}

function byReviewer<Edit extends { data?: Record<string, unknown> | undefined }, Locked extends WithData, Answer>(
  kind: EditedKind<Edit, Locked, Answer>,
  input: EditItemInput,
): EditedKind<Edit, Locked, Answer> {
  const { title, text } = input
  return {
    ...kind,
    isByReviewer: true,
    authorizeEdit: (ctx, content) => authorize(ctx, content, input),
    textsOf: () => [title, text],
    merge: (ctx, content, edit) => kind.merge(ctx, content, { ...edit, data: mergeWords(content, input) }),
  }
}

async function authorize(ctx: Ctx, content: LockedContent, input: EditItemInput): Promise<void> {
  const { subjectType, subjectId, version } = input
  if (!content.mayReview || !content.mayEdit || content.isOwn) throw new DomainError('FORBIDDEN')
  const item = await lockHeldItem(ctx, subjectType, subjectId)
  if (!item.isWaiting || content.version !== version) {
    const now = { subjectId, version: content.version, isWaiting: item.isWaiting }
    await throwChanged(ctx, now, { subjectType, outcome: 'approved' })
  }
  await assertUnclaimed(ctx, { ...content, ...item }, input)
}

/** The body with these words; beside them it keeps what apps have put there. */
function mergeWords({ data: before, attachments, dataTypes }: WithData, { title, text }: EditItemInput) {
  const said = { ...(title !== undefined && { title }), ...(text !== undefined && { text }) }
  const isSame = Object.entries(said).every(([key, words]) => (before?.[key] ?? '') === words)
  if (isSame) throw new DomainError('INVALID_PARAMETERS', { detail: ['text: is the same as before'] })
  const { data, error } = Body.safeParse({ ...before, ...said })
  if (error)
    throw new DomainError('INVALID_PARAMETERS', { detail: error.issues.map(({ message }) => `text: ${message}`) })
  const isEmpty = [data.title, data.text].every((words) => typeof words !== 'string' || words.trim() === '')
  const hasFiles = attachments?.length || dataTypes?.some((type) => type !== 'text')
  if (isEmpty && !hasFiles) throw new DomainError('INVALID_PARAMETERS', { detail: ['text: is required'] })
  return data
}
