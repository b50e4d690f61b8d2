import { randomUUID } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { RoleScope } from '#server/core/prisma/enums.ts'
import { writePassword } from '#server/modules/accounts/access/passwords.ts'
import { assertRoleInPlace } from '#server/modules/accounts/roles/assert-role-in-place.ts'
import { MODERATOR_OF } from '#server/modules/accounts/roles/moderator-of.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordDelta } from '#server/modules/ledger/counts/record-delta.ts'

export interface NewStaff {
  email: string
  name: string
  roleId: string
  /** The community a community role applies to. */
  communityId?: string | undefined
  /** The channel a channel role applies to. */
  channelId?: string | undefined
  /** The network user the account acts as; without one, a new user is created. */
  userId?: string | undefined
  /** Without a password, the account waits for its invite to be accepted. */
  password?: string | undefined
}

/**
 * Creates a dashboard account, tied to a network user who is given the role. Fails with INVALID_PARAMETERS where the e-mail or the user has
 * an account already, the role, community or channel is unknown, or a role of a space comes without its space.
 */
export async function createStaff(ctx: Ctx, staff: NewStaff): Promise<{ staffId: string; userId: string }> {
  const email = staff.email.trim().toLowerCase()
  return inTransaction(ctx, async (ctx) => {
    assertRoleInPlace(await readRole(ctx, staff.roleId), staff)
    const userId = staff.userId ?? `staff-${randomUUID()}`
    await ensureUser(ctx, userId, staff.name)
    await giveRole(ctx, { ...staff, userId })

    const staffId = randomUUID()
    const made = await execute(
      ctx,
      sql`
      insert into staff_account (id, name, email, email_verified, network_user_id) values (${staffId}, ${staff.name}, ${email}, true, ${userId})
      on conflict do nothing`,
    )
    if (made === 0) throw rejected(`${email} or user ${userId} already has an account`)
    if (staff.password !== undefined) await writePassword(ctx, { staffId, password: staff.password })
    await recordAudit(ctx, {
      action: 'staff.created',
      subjectType: 'staff',
      subjectId: staffId,
      communityId: staff.communityId ?? null,
      channelId: staff.channelId ?? null,
      after: { userId, roleId: staff.roleId },
    })
    return { staffId, userId }
  })
}

function rejected(problem: string): DomainError {
  return new DomainError('INVALID_PARAMETERS', { detail: [problem] })
}

async function readRole(ctx: Ctx, roleId: string): Promise<{ roleId: string; scope: RoleScope }> {
  const role = await queryOne<{ roleId: string; scope: RoleScope }>(
    ctx,
    sql`
    select role_id, scope::text as scope from role where role_id = ${roleId} and not is_deleted`,
  )
  if (role === undefined) throw rejected(`there is no role ${roleId}`)
  return role
}

async function ensureUser(ctx: Ctx, userId: string, name: string): Promise<void> {
  await execute(
    ctx,
    sql`
    insert into network_user (user_id, display_name, created_at, updated_at) values (${userId}, ${name}, ${ctx.now()}, ${ctx.now()})
    on conflict do nothing`,
  )
}

type GivenRole = Pick<NewStaff, 'roleId' | 'communityId' | 'channelId'> & { userId: string }

async function giveRole(ctx: Ctx, { userId, roleId, communityId, channelId }: GivenRole): Promise<void> {
  if (channelId !== undefined) return giveChannelRole(ctx, { userId, roleId, channelId })
  if (communityId !== undefined) return giveCommunityRole(ctx, { userId, roleId, communityId })
  await execute(
    ctx,
    sql`
    update network_user set roles = array_append(array_remove(roles, ${roleId}), ${roleId}), updated_at = ${ctx.now()}
    where user_id = ${userId}`,
  )
}

async function giveCommunityRole(
  ctx: Ctx,
  { userId, roleId, communityId }: { userId: string; roleId: string; communityId: string },
): Promise<void> {
  const given = await queryOne<{ isNew: boolean; isNewModerator: boolean }>(
    ctx,
    sql`
    insert into community_user as cu (community_id, user_id, membership, roles, last_join, created_at, updated_at)
    select community_id, ${userId}, 'member', array[${roleId}], ${ctx.now()}, ${ctx.now()}, ${ctx.now()}
    from community where community_id = ${communityId} and not is_deleted
    on conflict (community_id, user_id) do update
      set membership = 'member', is_deleted = false, roles = array_append(array_remove(cu.roles, ${roleId}), ${roleId}), updated_at = ${ctx.now()}
    returning (old.membership = 'member' and not old.is_deleted) is not true as is_new,
      ${MODERATOR_OF.community} = any(new.roles)
        and (old.membership = 'member' and not old.is_deleted and ${MODERATOR_OF.community} = any(old.roles)) is not true as is_new_moderator`,
  )
  if (given === undefined) throw rejected(`there is no community ${communityId}`)
  if (given.isNew) await recordDelta(ctx, 'community_members', communityId, 1)
  if (given.isNewModerator) await recordDelta(ctx, 'community_moderators', communityId, 1)
}

async function giveChannelRole(
  ctx: Ctx,
  { userId, roleId, channelId }: { userId: string; roleId: string; channelId: string },
): Promise<void> {
  const given = await queryOne<{ isNew: boolean }>(
    ctx,
    sql`
    insert into channel_user as cu (channel_id, user_id, membership, roles, created_at, updated_at)
    select channel_id, ${userId}, 'member', array[${roleId}], ${ctx.now()}, ${ctx.now()}
    from channel where channel_id = ${channelId} and not is_deleted
    on conflict (channel_id, user_id) do update
      set membership = 'member', is_deleted = false, roles = array_append(array_remove(cu.roles, ${roleId}), ${roleId}), updated_at = ${ctx.now()}
    returning (old.membership = 'member' and not old.is_deleted) is not true as is_new`,
  )
  if (given === undefined) throw rejected(`there is no channel ${channelId}`)
  if (given.isNew) await recordDelta(ctx, 'channel_members', channelId, 1)
}
