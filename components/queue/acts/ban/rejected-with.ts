import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'

/** Whether the item in front is itself rejected with the ban: only if it is held and the person may reject it. */
export const isRejectedToo = (item: QueueItem) => item.allowed.includes('rejected')

/**
 * What a ban rejects, the item in front first: the author's pending items as previewed. An escalated item isn't among them but is rejected
 * all the same; a decided or reported one isn't.
 */
export function rejectedWith(item: QueueItem, previewed: PreviewedItem[]): PreviewedItem[] {
  const isItem = (other: PreviewedItem) => itemIdOf(other) === itemIdOf(item)
  const others = previewed.filter((other) => !isItem(other))
  return isRejectedToo(item) ? [previewed.find(isItem) ?? asPreviewed(item), ...others] : others
}

function asPreviewed({
  subjectType,
  subjectId,
  version,
  text,
  flagCount,
  author,
  community,
}: QueueItem): PreviewedItem {
  return {
    subjectType,
    subjectId,
    version,
    excerpt: text,
    isFlagged: flagCount > 0,
    authorName: author.displayName,
    communityName: community?.displayName ?? '',
  }
}
