import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne, type Sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

export interface LockedCommunity {
  communityId: string
  isPublic: boolean
  requiresJoinApproval: boolean
  mayAct: boolean
}

interface Scope {
  /** Conditions on `community k`: whether the caller may know of it, and act there. */
  isKnown?: Sql
  mayAct: Sql
  /** Many may change members at once; this keeps out whoever else changes who leads the community. */
  isAlone?: boolean
}

/** Reads and locks inside the caller's scope: NOT_FOUND for one the caller may not know of, FORBIDDEN where they may not act. */
export async function lockCommunity(
  ctx: Ctx,
  communityId: string,
  { isKnown = isVisible(ctx), mayAct, isAlone = false }: Scope,
): Promise<LockedCommunity> {
  const known = await queryOne(
    ctx,
    Prisma.sql`
    select 1 as known from community k where k.community_id = ${communityId} and not k.is_deleted and ${isKnown}
    ${isAlone ? Prisma.sql`for no key update of k` : Prisma.sql`for share of k`}`,
  )
  if (known === undefined) throw new DomainError('NOT_FOUND')

  // Asked once the lock is held: the roles that count are those left by whoever held it before.
  const community = await queryOne<LockedCommunity>(
    ctx,
    Prisma.sql`
    select k.community_id as "communityId", k.is_public as "isPublic", k.requires_join_approval as "requiresJoinApproval",
      ${mayAct} as "mayAct"
    from community k where k.community_id = ${communityId}`,
  )
  if (!community?.mayAct) throw new DomainError('FORBIDDEN')
  return community
}
