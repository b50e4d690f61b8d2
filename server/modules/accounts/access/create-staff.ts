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
  if (channelId !== undefined) return giveSpaceRole(ctx, { space: 'channel', spaceId: channelId, userId, roleId })
  if (communityId !== undefined) return giveSpaceRole(ctx, { space: 'community', spaceId: communityId, userId, roleId })
  await execute(
    ctx,
    sql`
    update network_user set roles = array_append(array_remove(roles, ${roleId}), ${roleId}), updated_at = ${ctx.now()}
    where user_id = ${userId}`,
  )
}

async function giveSpaceRole(
  ctx: Ctx,
  {
    space,
    spaceId,
    userId,
    roleId,
  }: { space: 'community' | 'channel'; spaceId: string; userId: string; roleId: string },
): Promise<void> {
  const [spaces, members, id] = [sql.raw(space), sql.raw(`${space}_user`), sql.raw(`${space}_id`)]
  const moderator = MODERATOR_OF[space]
  const now = ctx.now()
  await execute(
    ctx,
    sql`
    insert into ${members} (${id}, user_id, created_at, updated_at)
    select ${id}, ${userId}, ${now}, ${now} from ${spaces} where ${id} = ${spaceId} and not is_deleted
    on conflict do nothing`,
  )
  const given = await queryOne<{ isNew: boolean; isNewModerator: boolean }>(
    ctx,
    sql`
    update ${members} cu
    set membership = 'member', is_deleted = false, roles = array_append(array_remove(cu.roles, ${roleId}), ${roleId}),
      ${space === 'community' ? sql`last_join = coalesce(cu.last_join, ${now}),` : sql.empty} updated_at = ${now}
    from (
      select m.user_id, m.membership = 'member' and not m.is_deleted as was_member, ${moderator} = any(m.roles) as was_moderator
      from ${members} m join ${spaces} s using (${id})
      where m.${id} = ${spaceId} and m.user_id = ${userId} and not s.is_deleted
      for update of m) before
    where cu.${id} = ${spaceId} and cu.user_id = before.user_id
    returning not before.was_member as is_new,
      ${moderator} = any(cu.roles) and not (before.was_member and before.was_moderator) as is_new_moderator`,
  )
  if (given === undefined) throw rejected(`there is no ${space} ${spaceId}`)
  if (given.isNew) await recordDelta(ctx, `${space}_members`, spaceId, 1)
  if (given.isNewModerator && space === 'community') await recordDelta(ctx, 'community_moderators', spaceId, 1)
}
