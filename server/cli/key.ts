import { z } from 'zod'
import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { formatTable } from '#server/cli/format-table.ts'
import { parseOptions } from '#server/cli/parse-options.ts'
import { visibleText } from '#server/core/text.ts'
import { createKey } from '#server/modules/accounts/access/create-credentials.ts'
import { listKeys } from '#server/modules/accounts/access/list-credentials.ts'
import { revokeCredential } from '#server/modules/accounts/access/revoke-credential.ts'
import { KEY_ALLOWS } from '#server/modules/accounts/access/schema.ts'

const KeyOptions = z.object({ name: visibleText({ max: 100 }), allow: z.array(z.enum(KEY_ALLOWS)).min(1) })

/** `key create`: creates an API key, shown once. */
export async function keyCreate({ ctx }: CommandContext, options: unknown): Promise<Outcome> {
  const { name, allow } = parseOptions(KeyOptions, options)
  const key = await createKey(ctx, { name, allows: allow })
  return { json: { ...key }, text: `${key.apiKey}\nShown once: save it now.` }
}

/** `key list`: lists every key ever created with its last use, never the key itself. */
export async function keyList({ ctx }: CommandContext): Promise<Outcome> {
  const keys = await listKeys(ctx)
  return {
    json: { keys },
    text: formatTable(
      ['id', 'name', 'allows', 'created', 'last used', 'revoked'],
      keys.map((key) => [key.keyId, key.name, key.allows.join(','), key.createdAt, key.lastUsedAt, key.revokedAt]),
    ),
  }
}

/** `key revoke`: revokes a key; it is rejected from the next call on. */
export async function keyRevoke({ ctx }: CommandContext, keyId: string): Promise<Outcome> {
  const { revokedAt } = await revokeCredential(ctx, { kind: 'key', id: keyId })
  return { json: { keyId, revokedAt }, text: `Key ${keyId} is revoked.` }
}
