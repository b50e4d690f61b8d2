import type { Ctx } from '#server/core/ctx.ts'
import type { ContentKind } from '#server/modules/content/reviewable/content-kind.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { publishHold } from '#server/modules/content/reviewable/publish-hold.ts'
import { recordRejection } from '#server/modules/content/reviewable/reject-or-hold.ts'
import type { Space } from '#server/modules/content/writing/space.ts'
import type { Writing } from '#server/modules/content/writing/write-content.ts'

interface Hidden extends Pick<Writing<unknown, Space>, 'space' | 'fate' | 'judgement'> {
  /** As everyone sees it, if that has been read already. */
  payload?: object | undefined
}

/** Publishes that a new comment or post is held or rejected. */
export function publishHidden(
  ctx: Ctx,
  kind: ContentKind<LockedContent, unknown>,
  subjectId: string,
  { space: { communityId }, fate, judgement, payload }: Hidden,
): Promise<void> {
  const written = { subjectId, communityId, version: 1 }
  if (fate === 'held') return publishHold(ctx, kind.type, written, judgement)
  return recordRejection(ctx, kind, written, { judgement, payload })
}
