import type { Subject } from '#server/modules/review/schema.ts'

/** A comment or a post in one word, as links and rows name it: `comment:ID`, `post:ID`. */
export function idOf({ subjectType, subjectId }: Subject): string {
  return `${subjectType}:${subjectId}`
}

/** What a link names; nothing where it names neither. */
export function subjectOf(itemId: string): Subject | undefined {
  const [, subjectType, subjectId] = /^(comment|post):(.+)$/s.exec(itemId) ?? []
  if (subjectId === undefined) return undefined
  return { subjectType: subjectType === 'post' ? 'post' : 'comment', subjectId }
}
