import type { Ctx } from '#server/core/ctx.ts'
import { type Delta, recordDeltas } from '#server/modules/ledger/counts/record-delta.ts'

interface Placed {
  parentId: string | null
  postId: string | null
}

/**
 * Counts a comment that becomes visible to everyone (1), or stops being so (-1): among the replies to its parent and the comments on its
 * post. The counts are rows of their own, so that writers to a busy post do not wait for each other.
 */
export function countVisible(ctx: Ctx, placed: Placed, delta: 1 | -1): Promise<void> {
  return recordDeltas(ctx, visibleDeltas(placed, delta))
}

/** What `countVisible` records. */
export function visibleDeltas({ parentId, postId }: Placed, delta: number): Delta[] {
  const deltas: Delta[] = []
  if (parentId !== null) deltas.push({ kind: 'comment_children', subjectId: parentId, delta })
  if (postId !== null) deltas.push({ kind: 'post_comments', subjectId: postId, delta })
  return deltas
}

/** What it counts among the public ones, if it is one of them. */
export function placeDeltas(comment: Placed & { approvalStatus: string | null }, delta: 1 | -1): Delta[] {
  return comment.approvalStatus === 'pending' ? [] : visibleDeltas(comment, delta)
}
