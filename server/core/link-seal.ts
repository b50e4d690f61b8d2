import { z } from 'zod'
import { text } from '#server/core/text.ts'

/** What makes a link good without other credentials, until `expires`, in milliseconds since 1970. */
export const LinkSeal = z.object({
  expires: z.string().regex(/^\d{1,15}$/),
  signature: text({ min: 1, max: 100 }),
})
export type LinkSeal = z.output<typeof LinkSeal>
