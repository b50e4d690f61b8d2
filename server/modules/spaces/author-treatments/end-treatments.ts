import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { lockPerson } from '#server/modules/accounts/roles/lock-person.ts'
import { mayEnd } from '#server/modules/spaces/author-treatments/may-set-treatment.ts'
import {
  publishTreatments,
  STORED_TREATMENT,
  type StoredTreatment,
} from '#server/modules/spaces/author-treatments/publish-treatments.ts'
import { mayKnowTreatment } from '#server/modules/spaces/author-treatments/read-treatments.ts'
import type { EndTreatmentInput } from '#server/modules/spaces/author-treatments/schema.ts'
import { assertUnchanged } from '#server/modules/spaces/author-treatments/treatment-conflict.ts'
import { isInForce } from '#server/modules/spaces/author-treatments/treatment-of.ts'

/**
 * Ends a treatment, for those who may set it, and returns whose it was. Fails with NOT_FOUND for one that the caller may not know of, FORBIDDEN without the permissions and for
 * people of equal or higher rank, and CHANGED, with who ended it, where it is over.
 */
export function endTreatment(ctx: Ctx, { treatmentId }: EndTreatmentInput): Promise<{ userId: string }> {
  const isIt = sql`a.treatment_id = ${treatmentId}::bigint`
  return inTransaction(ctx, async (ctx) => {
    const known = await queryOne<{ userId: string; communityId: string | null }>(
      ctx,
      sql`select a.user_id, a.community_id from author_treatment a where ${isIt} and ${mayKnowTreatment(ctx)}`,
    )
    if (known === undefined) throw new DomainError('NOT_FOUND')
    await lockPerson(ctx, known.userId)
    const may = await queryOne(ctx, sql`select 1 as may from author_treatment a where ${isIt} and ${mayEnd(ctx)}`)
    if (may === undefined) throw new DomainError('FORBIDDEN')
    const ended = await queryOne<StoredTreatment>(
      ctx,
      sql`
      update author_treatment a set ended_at = ${ctx.now()}, ended_by = ${actingUserId(ctx) ?? actorName(ctx)}
      where ${isIt} and ${isInForce(ctx)} returning ${STORED_TREATMENT}`,
    )
    if (ended === undefined) return assertUnchanged(ctx, known)
    await publishTreatments(ctx, [{ treatment: ended, act: 'ended' }])
    return { userId: ended.userId }
  })
}

const TREATMENTS_PER_BATCH = 100

/**
 * Closes treatments whose time is over, in the log and for desks: they have had no effect since. Returns how many there were. Of two workers one closes
 * each. Uses author_treatment_ends.
 */
export function endDueTreatments(ctx: Ctx): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const ended = await query<StoredTreatment>(
      ctx,
      sql`
      update author_treatment a set ended_at = a.ends_at, ended_by = null
      from (
        select treatment_id from author_treatment where ended_at is null and ends_at <= ${ctx.now()}
        order by ends_at, treatment_id ${sql.raw(`limit ${TREATMENTS_PER_BATCH}`)} for update skip locked) due
      where a.treatment_id = due.treatment_id returning ${STORED_TREATMENT}`,
    )
    await publishTreatments(
      ctx,
      ended.map((treatment) => ({ treatment, act: 'ended' })),
    )
    return ended.length
  })
}
