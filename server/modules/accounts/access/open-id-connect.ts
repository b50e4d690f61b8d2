import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth'
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
 * account is created.
 */
export function openIdConnect(
  ctx: Ctx,
  { issuer, clientId, clientSecret, newRole }: OpenIdConnect,
): GenericOAuthConfig {
  return {
    providerId: OPEN_ID,
    discoveryUrl: `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
    requireIdTokenVerification: true,
    clientId,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    disableSignUp: true,
    mapProfileToUser: async (profile) => {
      if (newRole !== undefined && profile.email_verified === true) await ensureStaff(ctx, newRole, profile)
      return {}
    },
  }
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

async function ensureStaff(ctx: Ctx, roleId: string, profile: Record<string, unknown>): Promise<void> {
  const { email, name, sub } = profile
  if (typeof email !== 'string') return
  const known = await queryOne(
    ctx,
    sql`
    select 1 from staff_account a where a.email = ${email.toLowerCase()} or exists (
      select from staff_login l
      where l.staff_account_id = a.id and l.provider_id = ${OPEN_ID} and l.account_id = ${String(sub)}) limit 1`,
  )
  if (known !== undefined) return
  const called = typeof name === 'string' && name !== '' ? name.slice(0, 100) : email.slice(0, 100)
  await createStaff({ ...ctx, actor: { kind: 'system', name: OPEN_ID } }, { email, name: called, roleId })
}
