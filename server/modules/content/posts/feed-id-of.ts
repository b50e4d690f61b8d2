import { createHash } from 'node:crypto'
import type { Feed } from '#server/modules/spaces/communities/schema.ts'

export interface FeedTarget {
  targetType: string
  targetId: string
}

/** The id of the feed of this type that is made for a target: derived from both, so that concurrent calls make one. */
export function feedIdOf({ targetType, targetId }: FeedTarget, feedType: Feed['feedType']): string {
  return createHash('md5')
    .update(JSON.stringify([targetType, targetId, feedType]))
    .digest('hex')
    .slice(0, 24)
}
