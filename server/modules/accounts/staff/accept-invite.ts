import type { Actor, Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { digestOf } from '#server/core/ids.ts'
import { rankOf } from '#server/core/permissions.ts'
import { writePassword } from '#server/modules/accounts/access/passwords.ts'
import { issuerOutranks, issuerRank } from '#server/modules/accounts/roles/issuer.ts'
import { endStaffSessions } from '#server/modules/accounts/staff/end-staff-sessions.ts'
import type { AcceptInviteInput, LinkFacts, LinkInput } from '#server/modules/accounts/staff/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/**
 * What a link is for. NOT_FOUND for one that is wrong, used, replaced or expired, for a person who may not sign in, and where its creator
 * may no longer create one for them.
 */
export async function readLink(ctx: Ctx, { token }: LinkInput): Promise<LinkFacts> {
  const { email, name, purpose } = await findLink(ctx, token)
  return { email, name, purpose }
}

/**
 * Accepts an invite, or sets a new password, with a link that works once; this ends the account's existing sessions. Fails as `readLink`
 * does.
 */
export function acceptInvite(ctx: Ctx, { token, name, password }: AcceptInviteInput): Promise<{ email: string }> {
  return inTransaction(ctx, async (ctx) => {
    const link = await findLink(ctx, token)
    const { staffId, userId, email, purpose } = link
    const used = await query(
      ctx,
      sql`delete from staff_link where digest = ${digestOf(token)} returning staff_account_id`,
    )
    if (used.length === 0) throw new DomainError('NOT_FOUND')

    // The link identifies the person: they are the actor of what they do with it.
    const actor: Actor = { kind: 'user', userId, name: link.name, staffId }
    const theirs = { ...ctx, actor }
    if (purpose === 'invitation' && name !== undefined) await rename(theirs, { staffId, userId, name })
    await writePassword(theirs, { staffId, password })
    await endStaffSessions(theirs, { staffId })
    await recordAudit(theirs, {
      action: purpose === 'invitation' ? 'staff.accepted' : 'staff.passwordReset',
      subjectType: 'staff',
      subjectId: staffId,
    })
    return { email }
  })
}

/** Locks the account inside a transaction, so that it is not switched off in between. */
async function findLink(ctx: Ctx, token: string) {
  // The link's creator could use it themselves: it grants nothing that they may not grant now.
  const [made, person] = [sql`l.created_by`, sql`u.user_id`]
  const isStillTheirs = sql`case when exists (select from staff_login g where g.staff_account_id = a.id)
    then ${issuerOutranks(made, person)} else ${issuerRank(made)} >= ${rankOf(person, 'network')} end`
  const link = await queryOne<{ staffId: string; userId: string; email: string; name: string; hasLogin: boolean }>(
    ctx,
    sql`
    select a.id as staff_id, a.network_user_id as user_id, a.email, a.name,
      exists (select from staff_login g where g.staff_account_id = a.id) as has_login
    from staff_link l join staff_account a on a.id = l.staff_account_id join network_user u on u.user_id = a.network_user_id
    where l.digest = ${digestOf(token)} and l.expires_at > ${ctx.now()}
      and not a.is_disabled and not u.is_global_ban and not u.is_deleted and ${isStillTheirs}
    for no key update of a`,
  )
  if (link === undefined) throw new DomainError('NOT_FOUND')
  const { hasLogin, ...account } = link
  return { ...account, purpose: hasLogin ? ('password' as const) : ('invitation' as const) }
}

/** Invited people choose their own display name; a profile that existed before keeps its name. */
async function rename(
  ctx: Ctx,
  { staffId, userId, name }: { staffId: string; userId: string; name: string },
): Promise<void> {
  await execute(
    ctx,
    sql`
    with account as (
      select a.name from staff_account a where a.id = ${staffId}),
    profile as (
      update network_user set display_name = ${name}, updated_at = ${ctx.now()}
      from account where user_id = ${userId} and display_name = account.name)
    update staff_account set name = ${name}, updated_at = ${ctx.now()} where id = ${staffId}`,
  )
}
