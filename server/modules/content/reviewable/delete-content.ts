import { asOwner, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { ContentKind } from '#server/modules/content/reviewable/content-kind.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import { writeDeletionStatement } from '#server/modules/content/reviewable/removal-statements.ts'
import { withdrawHidden } from '#server/modules/content/withdraw-hidden.ts'
import { auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { eventTables } from '#server/modules/ledger/events/record-event.ts'

interface Deletion<Locked> {
  id: string
  /** Leaves nothing of it but the log. */
  permanent: boolean
  /** Its author's, where it is deleted as part of an erasure: then it is found in any space. */
  ownerId: string | undefined
  hide(ctx: Ctx, content: Locked, by: { isOwn: boolean }): Promise<void>
  erase(ctx: Ctx, content: Locked): Promise<unknown>
}

/**
 * Lock → authorize → hide → log and publish → erase. Deleting what is deleted changes nothing, except that nothing makes it visible again once its
 * author has deleted it.
 */
export function deleteContent<Locked extends LockedContent>(
  ctx: Ctx,
  kind: ContentKind<Locked, unknown>,
  { id, permanent, ownerId, hide, erase }: Deletion<Locked>,
): Promise<void> {
  const { type } = kind
  return inTransaction(ctx, async (ctx) => {
    const content = await kind.flaggable.lock(asOwner(ctx, ownerId), id)
    if (!content.isOwn && !content.mayDelete) throw new DomainError('FORBIDDEN')
    if (content.isDeleted && !permanent) return withdrawHidden(ctx, type, content)

    await hide(ctx, content, { isOwn: content.isOwn })
    const { communityId, version } = content
    const act = {
      action: `${type}.${permanent ? 'erased' : 'deleted'}`,
      subjectType: type,
      subjectId: id,
      communityId,
      before: { ...kind.stateOf(content), version },
      after: { isDeleted: true },
    }
    const change = { name: `v3.${type}.didDelete`, deskName: `desk.${type}.didWithdraw` } as const
    const event = await kind.eventOf(ctx, content, change)
    await execute(ctx, sql`with ${auditTables(ctx, [act])}, ${eventTables(ctx, [event])} select from stored_event`)
    if (!content.isDeleted) await writeDeletionStatement(ctx, { type, subjectId: id, communityId }, content)
    if (permanent) await erase(ctx, content)
  })
}
