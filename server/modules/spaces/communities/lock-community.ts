import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

export interface LockedCommunity {
  communityId: string
  isPublic: boolean
  requiresJoinApproval: boolean
  mayAct: boolean
}

interface Scope {
  /** Conditions on `community k`: whether the caller may see it, and act there. */
  isKnown?: Sql
  mayAct: Sql
  /** Many calls may change members at once; this locks out others that change who moderates the community. */
  isAlone?: boolean
}

/** Reads and locks inside the caller's scope: NOT_FOUND for one the caller may not see, FORBIDDEN where they may not act. */
export async function lockCommunity(
  ctx: Ctx,
  communityId: string,
  { isKnown = isVisible(ctx), mayAct, isAlone = false }: Scope,
): Promise<LockedCommunity> {
  const known = await queryOne(
    ctx,
    sql`
    select 1 as known from community k where k.community_id = ${communityId} and not k.is_deleted and ${isKnown}
    ${isAlone ? sql`for no key update of k` : sql`for share of k`}`,
  )
  if (known === undefined) throw new DomainError('NOT_FOUND')

  // Checked once the lock is held, so that roles include changes by its previous holder.
  const community = await queryOne<LockedCommunity>(
    ctx,
    sql`
    select k.community_id, k.is_public, k.requires_join_approval,
      ${mayAct} as may_act
    from community k where k.community_id = ${communityId}`,
  )
  if (!community?.mayAct) throw new DomainError('FORBIDDEN')
  return community
}
