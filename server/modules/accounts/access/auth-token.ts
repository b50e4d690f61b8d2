import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { digestOf, newSecret } from '#server/core/ids.ts'
import { rankOf } from '#server/core/permissions.ts'
import { requireKey } from '#server/modules/accounts/access/require-key.ts'
import { issuerOutranks } from '#server/modules/accounts/roles/issuer.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** 10 minutes (docs/interface/authentication.md#vouch-for-a-user). */
const AUTH_TOKEN_LIFETIME_MS = 600_000

/** A backend vouches for one user, known or not yet: the token opens sessions of that user only, for ten minutes. */
export function createAuthToken(ctx: Ctx, { userId }: { userId: string }): Promise<string> {
  const { keyId } = requireKey(ctx, 'server')
  return inTransaction(ctx, async (ctx) => {
    await clearExpired(ctx)
    const authToken = newSecret('dkt')
    const expiresAt = new Date(ctx.now().getTime() + AUTH_TOKEN_LIFETIME_MS)
    await execute(
      ctx,
      sql`
      insert into auth_token (digest, user_id, key_id, expires_at) values (${digestOf(authToken)}, ${userId}, ${keyId}, ${expiresAt})`,
    )
    await recordAudit(ctx, {
      action: 'authToken.created',
      subjectType: 'user',
      subjectId: userId,
      after: { keyId, expiresAt: expiresAt.toISOString() },
    })
    return authToken
  })
}

/**
 * Whether a valid server key vouched for this user within the last ten minutes. For a user with a role anywhere, a key vouches only while
 * its issuer ranks above them; a key made on the command line vouches for everyone.
 */
export async function isVouchedFor(
  ctx: Ctx,
  { userId, authToken }: { userId: string; authToken?: string | undefined },
): Promise<boolean> {
  if (authToken === undefined) return false
  const holder = sql`t.user_id`
  const token = await queryOne(
    ctx,
    sql`
    select true as holds from auth_token t join api_key k on k.key_id = t.key_id
    where t.digest = ${digestOf(authToken)} and t.user_id = ${userId} and t.expires_at > ${ctx.now()} and k.revoked_at is null
      and (${rankOf(holder, 'network')} = 0 or ${issuerOutranks(sql`k.created_by`, holder)})`,
  )
  return token !== undefined
}

const CLEARED_AT_ONCE = 100

/** Index: auth_token_expires_at_idx. Skips rows that another request is clearing. */
async function clearExpired(ctx: Ctx): Promise<void> {
  await execute(
    ctx,
    sql`
    delete from auth_token where digest in (
      select digest from auth_token where expires_at < ${ctx.now()} limit ${CLEARED_AT_ONCE} for update skip locked)`,
  )
}
