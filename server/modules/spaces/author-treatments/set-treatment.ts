import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockPersonBelow } from '#server/modules/accounts/roles/lock-person-below.ts'
import { maySetEverywhere, maySetIn } from '#server/modules/spaces/author-treatments/may-set-treatment.ts'
import {
  publishTreatments,
  STORED_TREATMENT,
  type StoredTreatment,
} from '#server/modules/spaces/author-treatments/publish-treatments.ts'
import type { SetTreatmentInput } from '#server/modules/spaces/author-treatments/schema.ts'
import { assertUnchanged } from '#server/modules/spaces/author-treatments/treatment-conflict.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'

const MINUTE_MS = 60_000

/**
 * Says what becomes of what a person writes from now on, in a community or everywhere; replaces what was in force there. In a community, for those who
 * review comments and posts there and ban; for the network, MANAGE_POST_AND_COMMENT and BAN_USER. Fails with NOT_FOUND for an unknown community or
 * person, FORBIDDEN without the permissions, for oneself and for people of equal or higher rank, CHANGED where another treatment than `seen` is in force,
 * with who set or ended it, and INVALID_PARAMETERS for an `endsAt` that has passed.
 */
export function setTreatment(
  ctx: Ctx,
  { userId, space, kind, minutes, endsAt, reason, seen }: SetTreatmentInput,
): Promise<{ treatmentId: string }> {
  const communityId = space.scope === 'community' ? space.communityId : null
  return inTransaction(ctx, async (ctx) => {
    await lockPlace(ctx, communityId)
    await lockPersonBelow(ctx, userId, communityId)
    const until = endOf(ctx, { minutes, endsAt })
    const by = actingUserId(ctx) ?? actorName(ctx)
    // At most one: another is in force once this one is over.
    const ended = await query<StoredTreatment>(
      ctx,
      sql`
      update author_treatment a set ended_at = least(${ctx.now()}, a.ends_at), ended_by = case when a.ends_at <= ${ctx.now()} then null else ${by} end
      where a.user_id = ${userId} and coalesce(a.community_id, '') = ${communityId ?? ''} and a.ended_at is null
        and (${seen === undefined} or a.treatment_id = ${seen ?? null}::bigint or a.ends_at <= ${ctx.now()})
      returning ${STORED_TREATMENT}`,
    )
    const place = { userId, communityId }
    const [before] = ended
    if (typeof seen === 'string' && before?.treatmentId !== seen) await assertUnchanged(ctx, place)
    const set = await queryOne<StoredTreatment>(
      ctx,
      sql`
      insert into author_treatment as a (user_id, community_id, kind, reason, set_by, created_at, ends_at)
      values (${userId}, ${communityId}, ${kind}::author_treatment_kind, ${reason || null}, ${by}, ${ctx.now()}, ${until})
      on conflict do nothing
      returning ${STORED_TREATMENT}`,
    )
    if (set === undefined) return assertUnchanged(ctx, place)
    const isReplaced = seen === undefined || before?.treatmentId === seen
    if (before && !isReplaced) await publishTreatments(ctx, [{ treatment: before, act: 'ended' }])
    await publishTreatments(ctx, [{ treatment: set, act: 'set', ...(isReplaced && before && { replaced: before }) }])
    return { treatmentId: set.treatmentId }
  })
}

async function lockPlace(ctx: Ctx, communityId: string | null): Promise<void> {
  if (communityId !== null) {
    await lockCommunity(ctx, communityId, { mayAct: maySetIn(ctx, sql`k.community_id`) })
  } else if (!maySetEverywhere(ctx)) throw new DomainError('FORBIDDEN')
}

function endOf(ctx: Ctx, { minutes, endsAt }: Pick<SetTreatmentInput, 'minutes' | 'endsAt'>): Date | null {
  if (endsAt === undefined) return minutes === null ? null : new Date(ctx.now().getTime() + minutes * MINUTE_MS)
  const until = new Date(endsAt)
  if (until <= ctx.now()) throw new DomainError('INVALID_PARAMETERS', { detail: ['endsAt: has passed'] })
  return until
}
