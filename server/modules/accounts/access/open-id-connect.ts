import type { OAuth2Tokens } from '@better-auth/core/oauth2'
import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth'
import { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import type { Settings } from '#server/core/env.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'

/** The organisation's own sign-in, by OpenID Connect. */
export interface OpenIdConnect {
  /** The URL of its discovery document: `…/.well-known/openid-configuration`. */
  issuer: string
  clientId: string
  clientSecret: string
  /** The label of its sign-in button. */
  name: string
  /** The role for people without an account; without it they are rejected. */
  newRole?: string | undefined
}

export const OPEN_ID = 'openid'

/** The organisation's sign-in as configured; undefined without settings. */
export function openIdOf(settings: Settings): OpenIdConnect | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return { issuer, clientId, clientSecret, name: settings.OIDC_NAME, newRole: settings.OIDC_NEW_ROLE }
}

/**
 * Signs in the account whose address the provider has verified, even if it was only invited. Where a role for new people is set, a missing
 * account is created. Nobody is signed in without an ID token, whose signature and nonce the library checks before it asks for the person.
 */
export function openIdConnect(
  ctx: Ctx,
  { issuer, clientId, clientSecret, newRole }: OpenIdConnect,
): GenericOAuthConfig {
  const discoveryUrl = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  return {
    providerId: OPEN_ID,
    discoveryUrl,
    requireIdTokenVerification: true,
    clientId,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    disableSignUp: true,
    getUserInfo: async (tokens) => {
      const claims = await readClaims(ctx, tokens, discoveryUrl)
      if (claims === undefined) return null
      const { sub, email, name } = claims
      const emailVerified = isVerified(claims)
      if (newRole !== undefined && emailVerified) await ensureStaff(ctx, newRole, claims)
      return { id: sub, sub, email, emailVerified, ...(name !== undefined && { name }) }
    },
  }
}

/** What a provider says about a person. Everything else that it sends is ignored. */
const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().min(1).max(320),
  email_verified: z.unknown(),
  name: z.string().optional().catch(undefined),
})
type Claims = z.output<typeof Claims>

/** Claims of the ID token; without an address there, those of its `userinfo` answer for the same `sub` (OpenID Connect Core 5.3.2). */
async function readClaims(ctx: Ctx, tokens: OAuth2Tokens, discoveryUrl: string): Promise<Claims | undefined> {
  if (tokens.idToken === undefined) return undefined
  const ofToken: unknown = JSON.parse(Buffer.from(tokens.idToken.split('.')[1] ?? '', 'base64url').toString())
  const claims = Claims.safeParse(ofToken)
  if (claims.success) return claims.data
  const withSub = Claims.pick({ sub: true }).safeParse(ofToken)
  const answer = await fetchUserInfo(tokens, discoveryUrl).catch((err: unknown) => {
    ctx.log.warn({ err }, 'sign-in: the userinfo of the OpenID provider could not be read')
  })
  const ofUserInfo = Claims.safeParse(answer)
  return ofUserInfo.success && ofUserInfo.data.sub === withSub.data?.sub ? ofUserInfo.data : undefined
}

const USER_INFO_WITHIN_MS = 10_000

async function fetchUserInfo({ accessToken }: OAuth2Tokens, discoveryUrl: string): Promise<unknown> {
  const signal = AbortSignal.timeout(USER_INFO_WITHIN_MS)
  const { userinfo_endpoint } = z
    .object({ userinfo_endpoint: z.url() })
    .parse(await (await fetch(discoveryUrl, { signal })).json())
  return (await fetch(userinfo_endpoint, { signal, headers: { authorization: `Bearer ${accessToken}` } })).json()
}

/**
 * Only `true` and `"true"`, as some providers send it, count: `"false"` and 1 are truthy. An address that another letter than an ASCII capital
 * folds to a different one (K, the Kelvin sign, to k) could be somebody else's.
 */
function isVerified({ email, email_verified }: Claims): boolean {
  const isPlain = email.toLowerCase() === email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return isPlain && (email_verified === true || email_verified === 'true')
}

/** Stops the start on settings that could let nobody in: new people get a role of the network, or none. */
export async function assertNewRoleFits(ctx: Ctx, openId: OpenIdConnect | undefined): Promise<void> {
  if (openId?.newRole === undefined) return
  const role = await queryOne<{ roleId: string; scope: string }>(
    ctx,
    sql`select role_id, scope from role where role_id = ${openId.newRole}`,
  )
  if (role !== undefined && role.scope !== 'network')
    throw new Error(`OIDC_NEW_ROLE: ${role.roleId} needs a ${role.scope}; use a network role`)
}

async function ensureStaff(ctx: Ctx, roleId: string, { sub, email, name }: Claims): Promise<void> {
  const known = await queryOne(
    ctx,
    sql`
    select 1 from staff_account a where a.email = ${email.toLowerCase()} or exists (
      select from staff_login l
      where l.staff_account_id = a.id and l.provider_id = ${OPEN_ID} and l.account_id = ${sub}) limit 1`,
  )
  if (known !== undefined) return
  const called = (name || email).slice(0, 100)
  await createStaff({ ...ctx, actor: { kind: 'system', name: OPEN_ID } }, { email, name: called, roleId })
}
