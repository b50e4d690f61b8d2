import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { sqlStateOf, UNIQUE_VIOLATION } from '#server/core/database/sql-state.ts'
import { setColumns } from '#server/core/database/write-columns.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { assertMayGrant } from '#server/modules/accounts/roles/assert-may-grant.ts'
import { ensureGlobalAdminRemains } from '#server/modules/accounts/roles/ensure-global-admin-remains.ts'
import { revokeTokensBeyondIssuer } from '#server/modules/accounts/roles/issuer.ts'
import { readLockedPerson } from '#server/modules/accounts/roles/lock-person.ts'
import { GLOBAL_ADMIN, outranks } from '#server/modules/accounts/roles/outranks.ts'
import { answerUsers } from '#server/modules/accounts/users/read-users.ts'
import type { UserChange, UsersAnswer } from '#server/modules/accounts/users/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { assertImage } from '#server/modules/media/files/assert-image.ts'

interface UpdateUser extends UserChange {
  userId: string
  /** Only for admins with EDIT_USER; ignored for anyone else. */
  createNewUserWhenNotFound?: boolean
}

/**
 * Updates the given fields of a user: the caller's own profile, or as an admin with EDIT_USER that of people of lower rank. `isBrand` is
 * for those admins; `roles` needs ASSIGN_USER_ROLE. Fails with NOT_FOUND for one who is unknown or deleted, FORBIDDEN for one not of lower
 * rank, ALREADY_EXISTS for a handle that someone else has.
 */
export async function updateUser(ctx: Ctx, input: UpdateUser): Promise<UsersAnswer> {
  try {
    return await inTransaction(ctx, (ctx) => update(ctx, input))
  } catch (error) {
    if (!isHandleTaken(error)) throw error
    throw handleTaken(error)
  }
}

function handleTaken(cause: unknown): DomainError {
  return new DomainError('ALREADY_EXISTS', { detail: ['profileHandle: already taken'] }, { cause })
}

/** Besides the id, only the handle of a user must be unique. */
function isHandleTaken(error: unknown): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION
}

async function update(ctx: Ctx, { userId, createNewUserWhenNotFound, ...change }: UpdateUser): Promise<UsersAnswer> {
  const isMade = createNewUserWhenNotFound === true && holds(ctx, 'EDIT_USER') && (await makeUser(ctx, userId))
  const user = await lockUser(ctx, userId)
  assertMayEdit(ctx, user, change)

  const { roles, ...profile } = change
  const isInNewRoles = roles !== undefined && (await changeRoles(ctx, user, roles))
  const isRewritten = Object.keys(profile).length > 0
  if (isRewritten) await writeProfile(ctx, userId, profile)

  const answer = await answerUsers(ctx, [userId])
  if (!isMade && !isInNewRoles && !isRewritten) return answer
  const subject = { subjectType: 'user', subjectId: userId }
  if (isMade || isRewritten) {
    const fields = Object.keys(profile).sort()
    await recordAudit(ctx, { ...subject, action: isMade ? 'user.created' : 'user.updated', after: { fields } })
  }
  await recordEvent(ctx, { ...subject, name: isMade ? 'user.didCreate' : 'user.didUpdate', payload: { ...answer } })
  return answer
}

type Profile = Omit<UserChange, 'roles'>

async function writeProfile(ctx: Ctx, userId: string, { metadata, ...profile }: Profile): Promise<void> {
  await assertImage(ctx, profile.avatarFileId)
  const fields = { ...profile, metadata: metadata && JSON.stringify(metadata), updatedAt: ctx.now() }
  await execute(ctx, sql`update network_user set ${setColumns(fields)} where user_id = ${userId}`)
}

/** Creates a user; false where one with this id exists already. */
async function makeUser(ctx: Ctx, userId: string): Promise<boolean> {
  const made = await execute(
    ctx,
    sql`
    insert into network_user (user_id, created_at, updated_at) values (${userId}, ${ctx.now()}, ${ctx.now()})
    on conflict do nothing`,
  )
  return made > 0
}

interface LockedUser {
  userId: string
  roles: string[]
  isOutranked: boolean
}

async function lockUser(ctx: Ctx, userId: string): Promise<LockedUser> {
  const columns = sql`u.user_id, u.roles, u.is_deleted, ${outranks(ctx, sql`u.user_id`, 'network')} as is_outranked`
  const user = await readLockedPerson<LockedUser & { isDeleted: boolean }>(ctx, userId, columns)
  if (user.isDeleted) throw new DomainError('NOT_FOUND')
  return user
}

/** Roles have a rule of their own. */
function assertMayEdit(ctx: Ctx, user: LockedUser, { roles: _, isBrand, ...profile }: UserChange): void {
  const isAdmin = holds(ctx, 'EDIT_USER') && user.isOutranked
  if (isBrand !== undefined && !isAdmin) throw new DomainError('FORBIDDEN')
  if (Object.keys(profile).length === 0 && ctx.actor.kind === 'admin') return
  if (!isAdmin && actingUserId(ctx) !== user.userId) throw new DomainError('FORBIDDEN')
}

/** Network roles are given and taken by admins who rank above the user, limited to what they hold. False where nothing changes. */
async function changeRoles(ctx: Ctx, user: LockedUser, asked: string[]): Promise<boolean> {
  const roles = [...new Set(asked)].sort()
  const given = roles.filter((role) => !user.roles.includes(role))
  const taken = user.roles.filter((role) => !roles.includes(role))
  if (given.length === 0 && taken.length === 0) return false

  if (ctx.actor.kind !== 'admin' || !holds(ctx, 'ASSIGN_USER_ROLE') || !user.isOutranked) {
    throw new DomainError('FORBIDDEN')
  }
  await assertMayGrant(ctx, given, 'network', ctx.actor)
  if (taken.includes(GLOBAL_ADMIN)) await ensureGlobalAdminRemains(ctx, user.userId)
  await execute(ctx, sql`update network_user set roles = ${roles} where user_id = ${user.userId}`)
  await revokeTokensBeyondIssuer(ctx, [user.userId])
  await recordAudit(ctx, {
    action: 'user.rolesChanged',
    subjectType: 'user',
    subjectId: user.userId,
    before: { roles: user.roles },
    after: { roles },
  })
  return true
}
