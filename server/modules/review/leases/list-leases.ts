import type { Ctx } from '#server/core/ctx.ts'
import { query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { spaceOf } from '#server/modules/review/leases/lease-space.ts'
import type { Lease } from '#server/modules/review/leases/schema.ts'

/** Leases in the spaces the caller reviews. There are at most as many as active reviewers; uses lease_expires_at_idx. */
export async function listLeases(ctx: Ctx): Promise<Lease[]> {
  const rows = await query<LeaseRow>(ctx, sql`${selectLeases(ctx)} order by l.subject_type, l.subject_id`)
  return rows.map(toLease)
}

/** Who holds the lease on an item; call only after checking that the caller may see the item. */
export async function readLease(ctx: Ctx, { subjectType, subjectId }: Subject): Promise<Lease | undefined> {
  const row = await queryOne<LeaseRow>(
    ctx,
    sql`${selectLeases(ctx)} and l.subject_type = ${subjectType}::subject_type and l.subject_id = ${subjectId}`,
  )
  return row && toLease(row)
}

interface LeaseRow extends Subject {
  communityId: string | null
  channelId: string | null
  conversationId: string | null
  userId: string
  displayName: string
  forMs: number
}

/** Uses the names that people have at the desk. */
function selectLeases(ctx: Ctx): Sql {
  return sql`
    select l.subject_type, l.subject_id, space.community_id, space.channel_id, space.conversation_id, l.holder_id as user_id, ${DESK_NAME} as display_name,
      ceil(extract(epoch from l.expires_at - ${ctx.now()}::timestamptz) * 1000)::int as for_ms
    from lease l
    cross join lateral (${spaceOf(ctx, { subjectType: sql`l.subject_type::text`, subjectId: sql`l.subject_id` })}) space
    join network_user u on u.user_id = l.holder_id
    left join staff_account a on a.network_user_id = l.holder_id
    where l.expires_at > ${ctx.now()}`
}

function toLease({ userId, displayName, communityId, channelId, conversationId, ...lease }: LeaseRow): Lease {
  return {
    ...lease,
    ...(communityId !== null && { communityId }),
    ...(channelId !== null && { channelId }),
    ...(conversationId !== null && { conversationId }),
    holder: { userId, displayName },
  }
}
