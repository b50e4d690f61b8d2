import { InvalidArgumentError } from 'commander'
import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { formatTable } from '#server/cli/format-table.ts'
import { DomainError } from '#server/core/errors.ts'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { listTokens } from '#server/modules/accounts/access/list-credentials.ts'
import { revokeCredential } from '#server/modules/accounts/access/revoke-credential.ts'

/** `token create`: creates an access token for one user or for the whole network, shown once. */
export async function tokenCreate(
  { ctx }: CommandContext,
  options: { admin?: true; userId?: string; name?: string; expires: number },
): Promise<Outcome> {
  if ((options.admin === true) === (options.userId !== undefined)) {
    throw new DomainError('INVALID_PARAMETERS', { detail: ['use either --admin or --user-id'] })
  }
  if (options.name !== undefined && options.userId !== undefined) {
    throw new DomainError('INVALID_PARAMETERS', { detail: ['only admin tokens have a --name'] })
  }
  const token = await createToken(ctx, { userId: options.userId, name: options.name, lifetimeMs: options.expires })
  return { json: { ...token }, text: `${token.accessToken}\nExpires ${token.expiresAt}. Shown once: save it now.` }
}

/** `token list`: lists the admin tokens or those of one user with their last use, never the token itself. */
export async function tokenList({ ctx }: CommandContext, { userId }: { userId?: string }): Promise<Outcome> {
  const tokens = await listTokens(ctx, { userId })
  return {
    json: { tokens },
    text: formatTable(
      ['id', 'name', 'acts as', 'created', 'last used', 'expires', 'revoked'],
      tokens.map((token) => [
        token.tokenId,
        token.name,
        token.userId ?? token.roleId,
        token.createdAt,
        token.lastUsedAt,
        token.expiresAt,
        token.revokedAt,
      ]),
    ),
  }
}

/** `token revoke`: revokes a token; it is rejected from the next call on. */
export async function tokenRevoke({ ctx }: CommandContext, tokenId: string): Promise<Outcome> {
  const { revokedAt } = await revokeCredential(ctx, { kind: 'token', id: tokenId })
  return { json: { tokenId, revokedAt }, text: `Token ${tokenId} is revoked.` }
}

const SPAN_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses 15m, 12h or 365d to milliseconds. */
export function lifetime(value: string): number {
  const [, count, span] = /^([1-9]\d{0,5})([mhd])$/.exec(value) ?? []
  if (count === undefined) throw new InvalidArgumentError('use a form such as 15m, 12h or 365d')
  return Number(count) * SPAN_MS[span as keyof typeof SPAN_MS]
}
