import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { digestOf, newSecret } from '#server/core/ids.ts'
import { issueUserToken } from '#server/modules/accounts/access/issue-user-token.ts'
import type { KeyAllows } from '#server/modules/accounts/access/schema.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'

/** The role of an admin token unless another is given. */
const ADMIN_ROLE = 'global-admin'

export interface IssuedToken {
  /** Shown once; only its digest is stored. */
  accessToken: string
  expiresAt: string
}

/** Issues an access token for one user, or an admin token, which may have a name. Fails with NOT_FOUND for an unknown user. */
export function createToken(
  ctx: Ctx,
  {
    userId,
    roleId = ADMIN_ROLE,
    name,
    lifetimeMs,
  }: { userId?: string | undefined; roleId?: string | undefined; name?: string | undefined; lifetimeMs: number },
): Promise<IssuedToken> {
  return inTransaction(ctx, async (ctx) => {
    const { tokenId, accessToken, expiresAt } =
      userId === undefined
        ? await issueAdminToken(ctx, { roleId, name, lifetimeMs })
        : await issueUserToken(ctx, { user: await readUser(ctx, userId), lifetimeMs })
    await recordAudit(ctx, {
      action: 'token.created',
      subjectType: 'token',
      subjectId: tokenId,
      after: { userId: userId ?? null, ...(userId === undefined && { roleId }), expiresAt },
    })
    return { accessToken, expiresAt }
  })
}

async function issueAdminToken(
  ctx: Ctx,
  { roleId, name, lifetimeMs }: { roleId: string; name: string | undefined; lifetimeMs: number },
): Promise<IssuedToken & { tokenId: string }> {
  const accessToken = newSecret('dka')
  const expiresAt = new Date(ctx.now().getTime() + lifetimeMs)
  const token = await queryOne<{ tokenId: string }>(
    ctx,
    sql`
    insert into access_token (digest, kind, name, role_id, created_by, created_at, expires_at)
    values (${digestOf(accessToken)}, 'admin', ${name ?? null}, ${roleId}, ${actingUserId(ctx) ?? null}, ${ctx.now()}, ${expiresAt})
    returning token_id`,
  )
  if (token === undefined) throw new Error('an insert returned no row')
  return { tokenId: token.tokenId, accessToken, expiresAt: expiresAt.toISOString() }
}

async function readUser(ctx: Ctx, userId: string): Promise<{ userId: string; internalId: string }> {
  const user = await queryOne<{ userId: string; internalId: string }>(
    ctx,
    sql`
    select user_id, internal_id from network_user where user_id = ${userId} and not is_deleted`,
  )
  if (user === undefined) throw new DomainError('NOT_FOUND', { detail: [`user ${userId} not found`] })
  return user
}

/** Issues an API key, shown once. */
export function createKey(ctx: Ctx, input: { name: string; allows: KeyAllows[] }): Promise<{ apiKey: string }> {
  return inTransaction(ctx, async (ctx) => {
    const apiKey = newSecret('dkk')
    const key = await queryOne<{ keyId: string }>(
      ctx,
      sql`
      insert into api_key (digest, name, allows, created_by, created_at)
      values (${digestOf(apiKey)}, ${input.name}, ${input.allows}::text[], ${actingUserId(ctx) ?? null}, ${ctx.now()})
      returning key_id`,
    )
    await recordAudit(ctx, {
      action: 'key.created',
      subjectType: 'key',
      subjectId: key?.keyId ?? '',
      after: { allows: input.allows },
    })
    return { apiKey }
  })
}
