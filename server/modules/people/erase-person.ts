import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { endAccess } from '#server/modules/accounts/access/end-access.ts'
import { ensureGlobalAdminRemains } from '#server/modules/accounts/roles/ensure-global-admin-remains.ts'
import { revokeTokensBeyondIssuer } from '#server/modules/accounts/roles/issuer.ts'
import { readLockedPerson } from '#server/modules/accounts/roles/lock-person.ts'
import { GLOBAL_ADMIN, outranks } from '#server/modules/accounts/roles/outranks.ts'
import { answerUsers } from '#server/modules/accounts/users/read-users.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import { isAvatarOfOthers } from '#server/modules/people/is-avatar-of-others.ts'
import type { EraseInput } from '#server/modules/people/schema.ts'
import { mayErase } from '#server/modules/people/scope.ts'

/**
 * Erases a person: their profile is emptied, their access ended and their staff account switched off immediately; the rest of their data is
 * erased in the background, see `eraseBatch`. Calling it again during that changes nothing. For EDIT_USER on people of lower rank, with
 * MANAGE_STAFF where they have a staff account. Fails with NOT_FOUND for an unknown person, FORBIDDEN for anyone not of lower rank.
 */
export function erasePerson(ctx: Ctx, { userId }: EraseInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const person = await lockTarget(ctx, userId)
    if (!mayErase(ctx, { userId, ...person })) throw new DomainError('FORBIDDEN')
    if (person.roles.includes(GLOBAL_ADMIN)) await ensureGlobalAdminRemains(ctx, userId)
    if (!(await request(ctx, userId))) return

    await emptyProfile(ctx, userId)
    // Nobody can decide on a person who is gone.
    await keepReports(ctx, 'user', [userId])
    await endAccess(ctx, [userId])
    await revokeTokensBeyondIssuer(ctx, [userId])
    const subject = { subjectType: 'user', subjectId: userId }
    await recordAudit(ctx, { ...subject, action: 'user.erased', after: { isDeleted: true } })
    await recordEvent(ctx, { ...subject, name: 'user.didDelete', payload: { ...(await answerUsers(ctx, [userId])) } })
  })
}

async function lockTarget(ctx: Ctx, userId: string) {
  return await readLockedPerson<{ roles: string[]; isOutranked: boolean; isStaff: boolean }>(
    ctx,
    userId,
    sql`u.roles, ${outranks(ctx, sql`u.user_id`, 'network')} as is_outranked,
      exists (select from staff_account a where a.network_user_id = u.user_id) as is_staff`,
  )
}

/** Requests the erasure; false where one is in progress. A finished one starts again: an import may have restored them. */
async function request(ctx: Ctx, userId: string): Promise<boolean> {
  const by = actingUserId(ctx) ?? actorName(ctx)
  const requested = await query(
    ctx,
    sql`
    insert into erasure as e (user_id, requested_by, requested_at, worked_at) values (${userId}, ${by}, ${ctx.now()}, ${ctx.now()})
    on conflict (user_id) do update
      set requested_by = ${by}, requested_at = ${ctx.now()}, worked_at = ${ctx.now()}, events_read = 0, finished_at = null
      where e.finished_at is not null
    returning user_id`,
  )
  return requested.length > 0
}

/** Deletes the avatar too, unless somebody else uses it. */
async function emptyProfile(ctx: Ctx, userId: string): Promise<void> {
  await execute(
    ctx,
    sql`
    with emptied as (
      update network_user u set display_name = null, profile_handle = null, description = null, avatar_file_id = null,
        avatar_custom_url = null, metadata = null, hash_flag = null, roles = '{}', is_deleted = true, updated_at = ${ctx.now()}
      from (select user_id, avatar_file_id from network_user where user_id = ${userId} for update) before
      where u.user_id = before.user_id returning before.avatar_file_id),
    switched_off as (
      update staff_account set is_disabled = true where network_user_id = ${userId})
    delete from file f using emptied where f.file_id = emptied.avatar_file_id and not ${isAvatarOfOthers(userId)}`,
  )
}
