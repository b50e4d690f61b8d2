import type { Ctx } from '#server/core/ctx.ts'
import type { ContentChange } from '#server/modules/content/reviewable/content-event.ts'
import type { ContentKind } from '#server/modules/content/reviewable/content-kind.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { publishHold } from '#server/modules/content/reviewable/publish-hold.ts'
import { recordRejection } from '#server/modules/content/reviewable/reject-or-hold.ts'
import type { Place } from '#server/modules/content/writing/place.ts'
import type { Writing } from '#server/modules/content/writing/write-content.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'

type Publication = Pick<Writing<unknown, Place>, 'place' | 'fate' | 'judgement'> &
  Pick<ContentChange, 'name' | 'payload'>

/** Publishes a new comment or post by this name, or that it is held or rejected. */
export async function publishWriting(
  ctx: Ctx,
  kind: ContentKind<LockedContent, unknown>,
  { subjectId }: { subjectId: string },
  { place: { communityId }, fate, judgement, name, payload }: Publication,
): Promise<void> {
  const { type } = kind
  const written = { subjectId, communityId, isPublic: true }
  if (fate === 'held') return publishHold(ctx, type, written, judgement)
  if (fate === 'rejected') return recordRejection(ctx, kind, { ...written, version: 1 }, { judgement, payload })
  await recordEvent(ctx, await kind.eventOf(ctx, written, { name, deskName: `desk.${type}.didHold`, payload }))
}
