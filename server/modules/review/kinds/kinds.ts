import { DomainError } from '#server/core/errors.ts'
import { commentKind } from '#server/modules/review/kinds/comment.ts'
import type { Kind } from '#server/modules/review/kinds/kind.ts'
import { postKind } from '#server/modules/review/kinds/post.ts'
import { reportKind } from '#server/modules/review/kinds/report.ts'
import { REPORTABLE } from '#server/modules/review/kinds/reportable.ts'
import type { Outcome, SubjectType } from '#server/modules/review/schema.ts'

const HELD = { comment: erased(commentKind), post: erased(postKind) }
const { comment, post, message, user } = REPORTABLE
const dismissible = (outcome: 'dismissed' | 'deleted') => ({
  comment: erased(reportKind(comment, outcome)),
  post: erased(reportKind(post, outcome)),
  message: erased(reportKind(message, outcome)),
})

/** What each outcome is of: held or reported. People are never deleted from here. */
const KINDS: Record<Outcome, Partial<Record<SubjectType, Kind>>> = {
  approved: HELD,
  rejected: HELD,
  dismissed: { ...dismissible('dismissed'), user: erased(reportKind(user, 'dismissed')) },
  deleted: dismissible('deleted'),
}

/** INVALID_PARAMETERS for an outcome that is none of such things. */
export function kindOf(subjectType: SubjectType, outcome: Outcome): Kind {
  const kind = KINDS[outcome][subjectType]
  if (kind === undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['outcome: not possible for this item'] })
  return kind
}

/** Each kind is given only rows that its own `lock` made; TypeScript has no way to say so for a table of kinds. */
function erased<Row extends Parameters<Kind['move']>[1], Ends extends Outcome, Seen>(
  kind: Kind<Row, Ends, Seen>,
): Kind {
  return kind as unknown as Kind
}
