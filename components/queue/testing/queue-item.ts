import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/** A pending row; a test sets the fields that matter to it. */
export function queueItem(given: Partial<QueueItem> = {}): QueueItem {
  return {
    kind: given.reasons === undefined ? 'held' : 'reported',
    subjectType: 'comment',
    subjectId: 'comment-1',
    version: 1,
    text: 'The ferry runs again.',
    dataTypes: ['text'],
    writtenAt: '2026-11-15T08:00:00.000Z',
    heldAt: '2026-11-15T09:00:00.000Z',
    flagCount: 0,
    isReply: false,
    author: { userId: 'author-1', displayName: 'Author' },
    community: { communityId: 'harbour', displayName: 'Harbour' },
    allowed: ['approved', 'rejected'],
    ...given,
  }
}
