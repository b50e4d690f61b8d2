import type { QueueItem, Subject, SubjectType } from '#server/modules/review/queue/schema.ts'

/** What can be an item, in one word each, as links and rows name it: `comment:ID`, `user:ID`. */
const TYPES = ['comment', 'post', 'message', 'user'] as const satisfies SubjectType[]

/** An item in one word. */
export function itemIdOf({ subjectType, subjectId }: Subject): string {
  return `${subjectType}:${subjectId}`
}

/** Where it stands; people stand nowhere. */
export function spaceOf({ community, channel }: QueueItem): { displayName: string } | undefined {
  return community ?? channel
}

/** Whether it stands in a conversation of comments. */
export function hasThread(item: Pick<QueueItem, 'subjectType' | 'community'> | undefined): boolean {
  return item?.community !== undefined && (item.subjectType === 'comment' || item.subjectType === 'post')
}

/** What a link names; nothing where it names no item. */
export function subjectOf(itemId: string): Subject | undefined {
  const [, named, subjectId] = /^([a-z]+):(.+)$/s.exec(itemId) ?? []
  const subjectType = TYPES.find((type) => type === named)
  return subjectType && subjectId !== undefined ? { subjectType, subjectId } : undefined
}
