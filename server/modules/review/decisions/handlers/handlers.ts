import { DomainError } from '#server/core/errors.ts'
import { commentHandler } from '#server/modules/review/decisions/handlers/comment.ts'
import type { ReviewHandler, ReviewItem, ReviewState } from '#server/modules/review/decisions/handlers/handler.ts'
import { messageHandler } from '#server/modules/review/decisions/handlers/message.ts'
import { postHandler } from '#server/modules/review/decisions/handlers/post.ts'
import { publishedHandler, restoringHandler } from '#server/modules/review/decisions/handlers/published.ts'
import { reportHandler } from '#server/modules/review/decisions/handlers/report.ts'
import { REPORTABLE } from '#server/modules/review/decisions/handlers/reportable.ts'
import type { Outcome, SubjectType } from '#server/modules/review/decisions/schema.ts'

const HELD = { comment: erased(commentHandler), post: erased(postHandler) }
const { comment, post, message, user } = REPORTABLE
const dismissible = (outcome: 'dismissed' | 'deleted') => ({
  comment: erased(reportHandler(comment, outcome)),
  post: erased(reportHandler(post, outcome)),
  message: erased(reportHandler(message, outcome)),
})

/** What each outcome applies to. People are never deleted from here. */
export const HANDLERS: Record<Outcome, Partial<Record<SubjectType, ReviewHandler>>> = {
  approved: HELD,
  rejected: HELD,
  dismissed: { ...dismissible('dismissed'), user: erased(reportHandler(user, 'dismissed')) },
  deleted: dismissible('deleted'),
}

/** What can be deleted without a report. */
const PUBLISHED: Partial<Record<SubjectType, ReviewHandler>> = {
  comment: erased(publishedHandler(comment)),
  post: erased(publishedHandler(post)),
  message: erased(publishedHandler(message)),
}

/** What was deleted and an appeal restores. */
const RESTORED: Partial<Record<SubjectType, ReviewHandler>> = {
  comment: erased(restoringHandler(comment)),
  post: erased(restoringHandler(post)),
  message: erased(restoringHandler(message)),
}

/** What is restored after rules rejected it: messages are never held, so nothing else is decided on them before they are reported. */
const RESTORABLE: Partial<Record<SubjectType, ReviewHandler>> = { ...HELD, message: erased(messageHandler) }

/** INVALID_PARAMETERS for an outcome that doesn't apply to such items from this state. */
export function handlerOf(subjectType: SubjectType, outcome: Outcome, from: ReviewState = 'waiting'): ReviewHandler {
  const kind = kindsOf(outcome, from)[subjectType]
  if (kind === undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['outcome: not possible for this item'] })
  return kind
}

function kindsOf(outcome: Outcome, from: ReviewState): Partial<Record<SubjectType, ReviewHandler>> {
  if (from === 'rejected' && outcome === 'approved') return RESTORABLE
  if (from === 'deleted' && outcome === 'approved') return RESTORED
  return from === 'approved' && outcome === 'deleted' ? PUBLISHED : HANDLERS[outcome]
}

/** A handler without the type of its rows: each receives only rows that its own `lock` made, which TypeScript can't express for a table of them. */
function erased<Row extends ReviewItem, Ends extends Outcome>(kind: ReviewHandler<Row, Ends>): ReviewHandler {
  return kind as unknown as ReviewHandler
}
