import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { MODERATOR_OF } from '#server/modules/accounts/roles/moderator-of.ts'
import { recordDeltas } from '#server/modules/ledger/counts/record-delta.ts'
import type { LockedMember } from '#server/modules/spaces/communities/lock-members.ts'
import type { CommunityUser } from '#server/modules/spaces/communities/schema.ts'

/** The role that counts someone as a moderator. */
export const MODERATOR = MODERATOR_OF.community

interface MembershipChange {
  communityId: string
  /** As they were when locked. */
  members: LockedMember[]
  to: CommunityUser['communityMembership']
  /** The reason that they are not members. */
  reason?: 'left' | 'removed' | 'banned'
}

/**
 * Changes the membership of locked members and counts it. People who were not members before, or are not any more, have no roles. Pending
 * join requests are closed.
 */
export async function setMembership(ctx: Ctx, { communityId, members, to, reason }: MembershipChange): Promise<void> {
  const now = ctx.now()
  await query(
    ctx,
    Prisma.sql`
    with changed as (
      update join_request set status = ${to === 'member' ? 'approved' : 'rejected'}::join_request_status, responded_at = ${now},
        responder_id = ${actingUserId(ctx) ?? null}, updated_at = ${now}
      where community_id = ${communityId} and user_id = any(${members.map(({ userId }) => userId)}) and status = 'pending')
    update community_user set membership = ${to}::membership, roles = '{}', is_deleted = false, not_member_reason = ${reason ?? null},
      last_join = case when ${to === 'member'} then ${now} else last_join end, 
      last_activity = case when ${to === 'member' || reason === 'left'} then ${now} else last_activity end, updated_at = ${now}
    where community_id = ${communityId} and user_id = any(${members.map(({ userId }) => userId)}) returning 1 as changed`,
  )
  const left = members.filter(({ membership }) => membership === 'member')
  const joined = to === 'member' ? members.length : 0
  await count(ctx, communityId, {
    community_members: joined - left.length,
    community_moderators: -left.filter(isModerator).length,
  })
}

export function isModerator({ membership, roles }: LockedMember): boolean {
  return membership === 'member' && roles.includes(MODERATOR)
}

type Changes = Partial<Record<'community_members' | 'community_moderators', number>>

/** A change of nothing needs no row. */
export async function count(ctx: Ctx, communityId: string, changes: Changes): Promise<void> {
  const kinds = ['community_members', 'community_moderators'] as const
  const deltas = kinds.map((kind) => ({ kind, subjectId: communityId, delta: changes[kind] ?? 0 }))
  await recordDeltas(
    ctx,
    deltas.filter(({ delta }) => delta !== 0),
  )
}
