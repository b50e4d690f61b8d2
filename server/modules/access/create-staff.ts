import { randomUUID } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { writePassword } from '#server/modules/access/passwords.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'

export interface NewStaff {
  email: string
  name: string
  roleId: string
  /** Where a community role counts. */
  communityId?: string | undefined
  /** The network user the account acts as; one of its own is made without. */
  userId?: string | undefined
  /** Without one the account waits for somebody to take it up. */
  password?: string | undefined
}

/**
 * Makes a dashboard account, tied to a network user who is given the role. Fails with INVALID_PARAMETERS where the e-mail or the
 * user has an account already, the role or community is unknown, or a community role comes without its community.
 */
export async function createStaff(ctx: Ctx, staff: NewStaff): Promise<{ staffId: string; userId: string }> {
  const email = staff.email.trim().toLowerCase()
  return inTransaction(ctx, async (ctx) => {
    const scope = await readRoleScope(ctx, staff.roleId)
    if ((scope === 'community') !== (staff.communityId !== undefined)) {
      throw refused(
        scope === 'community' ? `${staff.roleId} needs a community` : `${staff.roleId} is not a community role`,
      )
    }
    const userId = staff.userId ?? `staff-${randomUUID()}`
    await ensureUser(ctx, userId, staff.name)
    await giveRole(ctx, { userId, roleId: staff.roleId, communityId: staff.communityId })

    const staffId = randomUUID()
    const made = await query(
      ctx,
      Prisma.sql`
      insert into staff_account (id, name, email, email_verified, network_user_id) values (${staffId}, ${staff.name}, ${email}, true, ${userId})
      on conflict do nothing returning 1`,
    )
    if (made.length === 0) throw refused(`${email} or user ${userId} has an account already`)
    if (staff.password !== undefined) await writePassword(ctx, { staffId, password: staff.password })
    await recordAudit(ctx, {
      action: 'staff.created',
      subjectType: 'staff',
      subjectId: staffId,
      communityId: staff.communityId ?? null,
      after: { userId, roleId: staff.roleId },
    })
    return { staffId, userId }
  })
}

function refused(problem: string): DomainError {
  return new DomainError('INVALID_PARAMETERS', { detail: [problem] })
}

async function readRoleScope(ctx: Ctx, roleId: string): Promise<string> {
  const role = await queryOne<{ scope: string }>(
    ctx,
    Prisma.sql`
    select scope::text as scope from role where role_id = ${roleId} and not is_deleted`,
  )
  if (role === undefined) throw refused(`there is no role ${roleId}`)
  return role.scope
}

async function ensureUser(ctx: Ctx, userId: string, name: string): Promise<void> {
  await query(
    ctx,
    Prisma.sql`
    insert into network_user (user_id, display_name, created_at, updated_at) values (${userId}, ${name}, ${ctx.now()}, ${ctx.now()})
    on conflict do nothing returning 1`,
  )
}

async function giveRole(
  ctx: Ctx,
  { userId, roleId, communityId }: { userId: string; roleId: string; communityId?: string | undefined },
) {
  if (communityId === undefined) {
    await query(
      ctx,
      Prisma.sql`
      update network_user set roles = array_append(array_remove(roles, ${roleId}), ${roleId}), updated_at = ${ctx.now()}
      where user_id = ${userId} returning 1`,
    )
    return
  }
  const given = await query(
    ctx,
    Prisma.sql`
    insert into community_user as cu (community_id, user_id, membership, roles, last_join, created_at, updated_at)
    select community_id, ${userId}, 'member', array[${roleId}], ${ctx.now()}, ${ctx.now()}, ${ctx.now()}
    from community where community_id = ${communityId} and not is_deleted
    on conflict (community_id, user_id) do update
      set membership = 'member', is_deleted = false, roles = array_append(array_remove(cu.roles, ${roleId}), ${roleId}), updated_at = ${ctx.now()}
    returning 1`,
  )
  if (given.length === 0) throw refused(`there is no community ${communityId}`)
}
