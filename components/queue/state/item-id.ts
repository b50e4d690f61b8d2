import type { Subject, SubjectType } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/** The types of items, as links and rows name them: `comment:ID`, `user:ID`. */
const TYPES = ['comment', 'post', 'message', 'user'] as const satisfies SubjectType[]

/** The item's id in links and rows: `type:ID`. */
export function itemIdOf({ subjectType, subjectId }: Subject): string {
  return `${subjectType}:${subjectId}`
}

/** The item's space; undefined for people. */
export function spaceOf({ community, channel }: QueueItem): { displayName: string } | undefined {
  return community ?? channel
}

/** Whether the item belongs to a comment thread. */
export function hasThread(item: Pick<QueueItem, 'subjectType' | 'community'> | undefined): boolean {
  return item?.community !== undefined && (item.subjectType === 'comment' || item.subjectType === 'post')
}

/** The item an id names; undefined if the id is not valid. */
export function subjectOf(itemId: string): Subject | undefined {
  const [, named, subjectId] = /^([a-z]+):(.+)$/s.exec(itemId) ?? []
  const subjectType = TYPES.find((type) => type === named)
  return subjectType && subjectId !== undefined ? { subjectType, subjectId } : undefined
}

/** Whether it is a message that rules rejected and somebody restored: it was never held, nor reported. */
export const isRestoredMessage = ({ reasons }: QueueItem): boolean => reasons?.length === 0
