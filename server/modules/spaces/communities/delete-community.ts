import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { mayInCommunity } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'

/**
 * Deletes a community for everyone: it accepts nothing more, its queue closes, and it is still returned by its id to those who could see
 * it. Fails with NOT_FOUND for one that is deleted or that the caller may not see, FORBIDDEN without DELETE_COMMUNITY.
 */
export function deleteCommunity(ctx: Ctx, { communityId }: { communityId: string }): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const mayAct = mayInCommunity(ctx, 'delete', sql`k.community_id`)
    await lockCommunity(ctx, communityId, { mayAct, isAlone: true })
    await execute(
      ctx,
      sql`update community set is_deleted = true, updated_at = ${ctx.now()} where community_id = ${communityId}`,
    )
    const subject = { subjectType: 'community', subjectId: communityId, communityId }
    await recordAudit(ctx, {
      ...subject,
      action: 'community.deleted',
      before: { isDeleted: false },
      after: { isDeleted: true },
    })
    const payload = await buildCommunitiesEnvelope(ctx, [communityId])
    await recordEvent(ctx, { ...subject, name: 'v3.community.didDelete', payload: { ...payload } })
  })
}
