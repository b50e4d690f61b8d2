import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import type { CommunitiesAnswer } from '#server/modules/spaces/communities/schema.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

/**
 * One community, by public or internal id, with the caller's membership. A deleted one is still returned. Fails with NOT_FOUND for one the
 * caller may not see.
 */
export async function readCommunity(
  ctx: Ctx,
  { communityId, type }: { communityId: string; type: 'public' | 'internal' },
): Promise<CommunitiesAnswer> {
  const column = type === 'public' ? sql`k.community_id` : sql`k.internal_id`
  const community = await queryOne<{ communityId: string }>(
    ctx,
    sql`
    select k.community_id from community k where ${column} = ${communityId} and ${isVisible(ctx)}`,
  )
  if (community === undefined) throw new DomainError('NOT_FOUND')
  return buildCommunitiesEnvelope(ctx, [community.communityId])
}

/** Several communities by their ids, without those the caller may not see, in the order of the request. Uses community_pkey. */
export async function readCommunities(
  ctx: Ctx,
  { communityIds }: { communityIds: string[] },
): Promise<CommunitiesAnswer> {
  const found = await query<{ communityId: string }>(
    ctx,
    sql`
    select k.community_id from community k
    where k.community_id = any(${communityIds}) and ${isVisible(ctx)} order by array_position(${communityIds}, k.community_id)`,
  )
  return buildCommunitiesEnvelope(
    ctx,
    found.map(({ communityId }) => communityId),
  )
}
