import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { digestOf, newSecret } from '#server/core/ids.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'

/** An admin token acts with this role unless it is given another. */
const ADMIN_ROLE = 'global-admin'

export interface IssuedToken {
  /** Shown once; only its digest is kept. */
  accessToken: string
  expiresAt: string
}

/** Issues an access token for one user, or an admin token. Fails with NOT_FOUND for an unknown user. */
export function createToken(
  ctx: Ctx,
  input: { userId?: string | undefined; lifetimeMs: number },
): Promise<IssuedToken> {
  return inTransaction(ctx, async (ctx) => {
    const accessToken = newSecret(input.userId === undefined ? 'dka' : 'dku')
    const expiresAt = new Date(ctx.now().getTime() + input.lifetimeMs)
    if (input.userId !== undefined) await requireUser(ctx, input.userId)

    const token = await queryOne<{ tokenId: string }>(
      ctx,
      Prisma.sql`
      insert into access_token (digest, kind, user_id, role_id, created_at, expires_at)
      values (${digestOf(accessToken)}, ${input.userId === undefined ? 'admin' : 'user'}::token_kind, ${input.userId ?? null},
        ${input.userId === undefined ? ADMIN_ROLE : null}, ${ctx.now()}, ${expiresAt})
      returning token_id as "tokenId"`,
    )
    await recordAudit(ctx, {
      action: 'token.created',
      subjectType: 'token',
      subjectId: token?.tokenId ?? '',
      after: { userId: input.userId ?? null, expiresAt: expiresAt.toISOString() },
    })
    return { accessToken, expiresAt: expiresAt.toISOString() }
  })
}

async function requireUser(ctx: Ctx, userId: string): Promise<void> {
  const user = await query(
    ctx,
    Prisma.sql`select 1 as found from network_user where user_id = ${userId} and not is_deleted`,
  )
  if (user.length === 0) throw new DomainError('NOT_FOUND', { detail: [`there is no user ${userId}`] })
}

export const KEY_ALLOWS = ['sessions', 'roles'] as const
export type KeyAllows = (typeof KEY_ALLOWS)[number]

/** Issues an API key, shown once. */
export function createKey(ctx: Ctx, input: { name: string; allows: KeyAllows[] }): Promise<{ apiKey: string }> {
  return inTransaction(ctx, async (ctx) => {
    const apiKey = newSecret('dkk')
    const key = await queryOne<{ keyId: string }>(
      ctx,
      Prisma.sql`
      insert into api_key (digest, name, allows, created_at) values (${digestOf(apiKey)}, ${input.name}, ${input.allows}::text[], ${ctx.now()})
      returning key_id as "keyId"`,
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
