import { commentKind } from '#server/modules/review/kinds/comment.ts'
import type { HeldKind } from '#server/modules/review/kinds/kind.ts'
import { postKind } from '#server/modules/review/kinds/post.ts'
import type { SubjectType } from '#server/modules/review/schema.ts'

/** A third kind of held thing is one more line here. */
const KINDS: Record<SubjectType, HeldKind> = { comment: erased(commentKind), post: erased(postKind) }

export function kindOf(subjectType: SubjectType): HeldKind {
  return KINDS[subjectType]
}

/** Each kind is given only rows that its own `lock` made; TypeScript has no way to say so for a table of kinds. */
function erased<Row extends Parameters<HeldKind['move']>[1]>(kind: HeldKind<Row>): HeldKind {
  return kind as unknown as HeldKind
}
