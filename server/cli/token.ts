import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { DomainError } from '#server/core/errors.ts'
import { createToken } from '#server/modules/access/create-credentials.ts'

/** `token create`: an access token for one user or for the whole network, shown once. */
export async function tokenCreate(
  { ctx }: CommandContext,
  options: { admin?: true; userId?: string; expires: number },
): Promise<Outcome> {
  if ((options.admin === true) === (options.userId !== undefined)) {
    throw new DomainError('INVALID_PARAMETERS', { detail: ['give either --admin or --user-id'] })
  }
  const token = await createToken(ctx, { userId: options.userId, lifetimeMs: options.expires })
  return { json: { ...token }, text: `${token.accessToken}\nexpires ${token.expiresAt}; it is shown this once` }
}
