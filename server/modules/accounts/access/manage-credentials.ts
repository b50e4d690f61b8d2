import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, listOf, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds, mayEverywhere } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { createKey, createToken } from '#server/modules/accounts/access/create-credentials.ts'
import {
  type KeyFacts,
  listKeys,
  listTokens,
  type TokenFacts,
} from '#server/modules/accounts/access/list-credentials.ts'
import { revokeCredential } from '#server/modules/accounts/access/revoke-credential.ts'
import type {
  CredentialInput,
  Credentials,
  IssuedSecret,
  KeyInput,
  RevokedCredential,
  TokenInput,
} from '#server/modules/accounts/access/schema.ts'
import { assertMayGrant } from '#server/modules/accounts/roles/assert-may-grant.ts'
import { grantableBy } from '#server/modules/accounts/roles/grantable-by.ts'
import { MODERATOR_OF } from '#server/modules/accounts/roles/moderator-of.ts'

const HOUR_MS = 3_600_000

/** Every API key and admin token, newest first, with their creators; ended ones too, for a month. Needs MANAGE_CREDENTIALS. */
export async function readCredentials(ctx: Ctx): Promise<Credentials> {
  assertCredentialsManager(ctx)
  const [keys, tokens, grantable] = await Promise.all([listKeys(ctx), listTokens(ctx, {}), grantableBy(ctx)])
  const names = await namesOf(ctx, [...keys, ...tokens])
  const roles = await roleNamesOf(ctx, tokens)
  return {
    keys: keys.map(({ keyId, name, allows, sessions, ...key }) => ({
      keyId,
      name,
      allows,
      sessions,
      ...factsOf(key, names),
    })),
    tokens: tokens.map(({ tokenId, name, roleId, expiresAt, ...token }) => ({
      tokenId,
      ...present({ name }),
      roleName: roles.get(roleId ?? '') ?? roleId ?? '',
      expiresAt: expiresAt.toISOString(),
      hasExpired: expiresAt <= ctx.now(),
      ...factsOf(token, names),
    })),
    grantable: grantable.filter(({ scope }) => scope === 'network').map(({ scope: _, ...role }) => role),
  }
}

type Listed = Pick<KeyFacts, 'createdAt' | 'createdBy' | 'lastUsedAt' | 'revokedAt'>

function factsOf({ createdAt, createdBy, lastUsedAt, revokedAt }: Listed, names: Map<string, string>) {
  return {
    createdAt: createdAt.toISOString(),
    ...present({
      madeBy: createdBy === null ? undefined : { userId: createdBy, name: names.get(createdBy) ?? createdBy },
      lastUsedAt: lastUsedAt?.toISOString(),
      revokedAt: revokedAt?.toISOString(),
    }),
  }
}

/** Uses the primary key. */
async function namesOf(ctx: Ctx, made: { createdBy: string | null }[]): Promise<Map<string, string>> {
  const userIds = [...new Set(made.flatMap(({ createdBy }) => (createdBy === null ? [] : [createdBy])))]
  const users = await query<{ userId: string; displayName: string | null }>(
    ctx,
    sql`select user_id, display_name from network_user where user_id = any(${listOf(userIds)})`,
  )
  return new Map(users.map(({ userId, displayName }) => [userId, displayName || userId]))
}

async function roleNamesOf(ctx: Ctx, tokens: TokenFacts[]): Promise<Map<string, string>> {
  const roleIds = tokens.flatMap(({ roleId }) => (roleId === null ? [] : [roleId]))
  const roles = await query<{ roleId: string; name: string }>(
    ctx,
    sql`
    select role_id, coalesce(display_name, role_id) as name from role where role_id = any(${roleIds})`,
  )
  return new Map(roles.map(({ roleId, name }) => [roleId, name]))
}

/**
 * Creates an API key, shown once. Needs MANAGE_CREDENTIALS; FORBIDDEN for a key that may give roles, unless the caller may give the role of
 * a community moderator everywhere.
 */
export function issueKey(ctx: Ctx, input: KeyInput): Promise<IssuedSecret> {
  assertCredentialsManager(ctx)
  return inTransaction(ctx, async (ctx) => {
    if (input.allows.includes('roles')) await assertRoleGiver(ctx)
    const { apiKey } = await createKey(ctx, input)
    return { secret: apiKey }
  })
}

async function assertRoleGiver(ctx: Ctx): Promise<void> {
  if (ctx.actor.kind !== 'admin' || !mayEverywhere(ctx, 'assignRoles')) throw new DomainError('FORBIDDEN')
  await assertMayGrant(ctx, [MODERATOR_OF.community], 'community', ctx.actor)
}

/** Creates an admin token, shown once. Needs MANAGE_CREDENTIALS; FORBIDDEN for a role beyond the caller's own. */
export function issueAdminToken(ctx: Ctx, { name, roleId, hours }: TokenInput): Promise<IssuedSecret> {
  assertCredentialsManager(ctx)
  return inTransaction(ctx, async (ctx) => {
    if (ctx.actor.kind !== 'admin') throw new DomainError('FORBIDDEN')
    await assertMayGrant(ctx, [roleId], 'network', ctx.actor)
    const { accessToken, expiresAt } = await createToken(ctx, { name, roleId, lifetimeMs: hours * HOUR_MS })
    return { secret: accessToken, expiresAt }
  })
}

/**
 * Ends a key or an admin token: from the next call on it is rejected, and so are the sessions that a key opened. Needs MANAGE_CREDENTIALS;
 * NOT_FOUND for an unknown one, CHANGED for one that was revoked, FORBIDDEN for a token of a higher rank.
 */
export function endCredential(ctx: Ctx, input: CredentialInput): Promise<RevokedCredential> {
  assertCredentialsManager(ctx)
  return inTransaction(ctx, async (ctx) => {
    if (input.kind === 'token') await assertTokenRank(ctx, input.id)
    const { endedSessions, isNew } = await revokeCredential(ctx, input)
    if (!isNew) throw new DomainError('CHANGED')
    return { endedSessions }
  })
}

/** The tokens of users are their sessions, which are ended elsewhere. */
async function assertTokenRank(ctx: Ctx, tokenId: string): Promise<void> {
  const token = await queryOne<{ rank: number }>(
    ctx,
    sql`
    select network_role_rank(array[role_id]) as rank from access_token where token_id = ${tokenId} and kind = 'admin' for no key update`,
  )
  if (token === undefined) throw new DomainError('NOT_FOUND')
  if (ctx.actor.kind !== 'admin' || token.rank > ctx.actor.rank) throw new DomainError('FORBIDDEN')
}

function assertCredentialsManager(ctx: Ctx): void {
  if (!holds(ctx, 'MANAGE_CREDENTIALS')) throw new DomainError('FORBIDDEN')
}
