import { createHmac, randomBytes } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { digestOf } from '#server/core/ids.ts'

export interface IssuedUserToken {
  tokenId: string
  /** Shown once; only its digest is stored. */
  accessToken: string
  issuedAt: string
  expiresAt: string
}

/** Issues an access token for an existing user; the caller's transaction writes the reason to the audit log. */
export async function issueUserToken(
  ctx: Ctx,
  { user, lifetimeMs, keyId }: { user: { userId: string; internalId: string }; lifetimeMs: number; keyId?: string },
): Promise<IssuedUserToken> {
  const issuedAt = ctx.now()
  const expiresAt = new Date(issuedAt.getTime() + lifetimeMs)
  const accessToken = newUserToken({ user, issuedAt, expiresAt })
  const token = await queryOne<{ tokenId: string }>(
    ctx,
    sql`
    insert into access_token (digest, kind, user_id, key_id, created_at, expires_at)
    values (${digestOf(accessToken)}, 'user', ${user.userId}, ${keyId ?? null}, ${issuedAt}, ${expiresAt})
    returning token_id`,
  )
  if (token === undefined) throw new Error('an insert returned no row')
  return {
    tokenId: token.tokenId,
    accessToken,
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

/**
 * A JWT, since SDKs read it (docs/interface/authentication.md#session-lifetime). The server reads nothing from it: it looks the token up by
 * its digest, so that ending it takes effect immediately. It is signed with a key that is not stored, which makes the signature 256 bits
 * that cannot be guessed.
 */
function newUserToken(token: {
  user: { userId: string; internalId: string }
  issuedAt: Date
  expiresAt: Date
}): string {
  const { user, issuedAt, expiresAt } = token
  const content = [
    { alg: 'HS256', typ: 'JWT' },
    {
      user: { publicUserId: user.userId, userId: user.internalId },
      iat: Math.floor(issuedAt.getTime() / 1000),
      exp: Math.floor(expiresAt.getTime() / 1000),
    },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${content}.${createHmac('sha256', randomBytes(32)).update(content).digest('base64url')}`
}
