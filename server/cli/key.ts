import { z } from 'zod'
import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { parseOptions } from '#server/cli/parse-options.ts'
import { text } from '#server/core/text.ts'
import { createKey, KEY_ALLOWS } from '#server/modules/access/create-credentials.ts'

const KeyOptions = z.object({ name: text({ min: 1, max: 100 }), allow: z.array(z.enum(KEY_ALLOWS)).min(1) })

/** `key create`: an API key, shown once. */
export async function keyCreate({ ctx }: CommandContext, options: unknown): Promise<Outcome> {
  const { name, allow } = parseOptions(KeyOptions, options)
  const key = await createKey(ctx, { name, allows: allow })
  return { json: { ...key }, text: `${key.apiKey}\nit is shown this once` }
}
