import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { ChannelPermission, CommunityPermission, Permission } from '#server/core/permission-names.ts'
import { holds, mayInChannel, mayInCommunity } from '#server/core/permissions.ts'

/** Anyone who holds one of these somewhere moderates there, and may look people up. */
const MODERATING: (CommunityPermission | ChannelPermission)[] = [
  'REVIEW_COMMUNITY_COMMENT',
  'REVIEW_COMMUNITY_POST',
  'BAN_COMMUNITY_USER',
  'MUTE_COMMUNITY_USER',
  'BAN_USER_FROM_CHANNEL',
  'MUTE_USER_INSIDE_CHANNEL',
  'DELETE_MESSAGE',
]

/** Fails with FORBIDDEN for all but those who see every user or moderate somewhere. */
export async function assertMayLookUp(ctx: Ctx): Promise<void> {
  if (holds(ctx, 'VIEW_USERS')) return
  const userId = actingUserId(ctx)
  const space = userId === undefined ? undefined : await findModerated(ctx, userId)
  if (space === undefined) throw new DomainError('FORBIDDEN')
}

function findModerated(ctx: Ctx, userId: string) {
  return queryOne(
    ctx,
    sql`
    select true as found where exists (
        select from community_user mine
        where mine.user_id = ${userId} and mine.membership = 'member' and not mine.is_deleted
          and role_permissions(mine.roles) && ${MODERATING})
      or exists (
        select from channel_user mine
        where mine.user_id = ${userId} and mine.membership = 'member' and not mine.is_deleted
          and role_permissions(mine.roles) && ${MODERATING})`,
  )
}

/**
 * Whether the caller may see the history of the community that the column names: with this permission everywhere, else where they moderate.
 */
export function knowsCommunity(ctx: Ctx, everywhere: Permission, communityColumn: Sql): Sql {
  if (holds(ctx, everywhere)) return sql`true`
  return sql`(${mayInCommunity(ctx, 'reviewComments', communityColumn)} or ${mayInCommunity(ctx, 'reviewPosts', communityColumn)}
    or ${mayInCommunity(ctx, 'banMembers', communityColumn)} or ${mayInCommunity(ctx, 'muteMembers', communityColumn)})`
}

/** Whether the caller may see the history of the channel that the column names: with this permission everywhere, else where they moderate. */
export function knowsChannel(ctx: Ctx, everywhere: Permission, channelColumn: Sql): Sql {
  if (holds(ctx, everywhere)) return sql`true`
  return sql`(${mayInChannel(ctx, 'banMembers', channelColumn)} or ${mayInChannel(ctx, 'muteMembers', channelColumn)}
    or ${mayInChannel(ctx, 'deleteMessages', channelColumn)})`
}

/** All data about a person is for those who see every user and the full history. */
export function mayExport(ctx: Ctx): boolean {
  return holds(ctx, 'VIEW_USERS') && holds(ctx, 'VIEW_HISTORY')
}

/** Erasing is for EDIT_USER on people of lower rank, with MANAGE_STAFF where they have a staff account. */
export function mayErase(
  ctx: Ctx,
  { userId, isOutranked, isStaff }: { userId: string; isOutranked: boolean; isStaff: boolean },
): boolean {
  return (
    holds(ctx, 'EDIT_USER') && (!isStaff || holds(ctx, 'MANAGE_STAFF')) && isOutranked && userId !== actingUserId(ctx)
  )
}
