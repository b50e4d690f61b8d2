import type { Ctx } from '#server/core/ctx.ts'
import { type Delta, recordDeltas } from '#server/modules/ledger/counts/record-delta.ts'

interface Counted {
  communityId: string | null
  feedId: string | null
  feedType: 'reviewing' | 'published' | 'declined'
}

/** Counts a post into its feed (1) or out of it (-1), and into its community's published ones. Its children count with it. */
export function countPost(ctx: Ctx, post: Counted, delta: 1 | -1): Promise<void> {
  return recordDeltas(ctx, postDeltas(post, delta))
}

/** What `countPost` records. */
export function postDeltas({ communityId, feedId, feedType }: Counted, delta: 1 | -1): Delta[] {
  const deltas: Delta[] = []
  if (feedId !== null) deltas.push({ kind: 'feed_posts', subjectId: feedId, delta })
  if (communityId !== null && feedType === 'published')
    deltas.push({ kind: 'community_posts', subjectId: communityId, delta })
  return deltas
}
