import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { SESSIONS_COUNTED } from '#server/modules/accounts/access/schema.ts'

/** What is shown of an access token; never the secret, which is not stored. */
export interface TokenFacts {
  tokenId: string
  /** The token's user; an admin token acts with a role instead. */
  userId: string | null
  roleId: string | null
  /** Of an admin token. */
  name: string | null
  /** The network user who created it; absent for a token made on the command line. */
  createdBy: string | null
  createdAt: Date
  expiresAt: Date
  /** To the minute. */
  lastUsedAt: Date | null
  revokedAt: Date | null
}

/**
 * The access tokens of one user, or the admin tokens, newest first, including ended ones until they are removed. Uses
 * access_token_user_id_idx.
 */
export function listTokens(ctx: Ctx, { userId }: { userId?: string | undefined }): Promise<TokenFacts[]> {
  return query<TokenFacts>(
    ctx,
    sql`
    select token_id, user_id, role_id, name, created_by, created_at, expires_at,
      last_used_at, revoked_at
    from access_token where ${userId === undefined ? sql`user_id is null` : sql`user_id = ${userId}`}
    order by created_at desc, token_id`,
  )
}

export interface KeyFacts {
  keyId: string
  name: string
  allows: string[]
  /** Those that it opened and that are in use, up to SESSIONS_COUNTED. */
  sessions: number
  createdBy: string | null
  createdAt: Date
  /** To the minute. */
  lastUsedAt: Date | null
  revokedAt: Date | null
}

/** Every API key that ever existed, newest first. There are few: no index. Their sessions use access_token_key_id. */
export function listKeys(ctx: Ctx): Promise<KeyFacts[]> {
  return query<KeyFacts>(
    ctx,
    sql`
    select k.key_id, k.name, k.allows, k.created_by, k.created_at, k.last_used_at, k.revoked_at, (
      select count(*)::int from (
        select from access_token t where t.key_id = k.key_id and t.revoked_at is null and t.expires_at > ${ctx.now()}
        limit ${SESSIONS_COUNTED}) open) as sessions
    from api_key k order by k.created_at desc, k.key_id`,
  )
}
