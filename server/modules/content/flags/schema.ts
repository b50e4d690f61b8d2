import { z } from 'zod'
import { text } from '#server/core/text.ts'

/** Body of docs/interface/reports-and-flags.md#flag-something. */
export const NewFlag = z
  .object({ reason: text({ min: 1, max: 300 }).default('Others'), detail: text({ max: 300 }).optional() })
  .nullish()
  .transform((flag) => flag ?? { reason: 'Others' })
export type NewFlag = z.output<typeof NewFlag>

export const FlaggedByMe = z.object({ result: z.boolean() }).meta({ id: 'FlaggedByMe' })
export type FlaggedByMe = z.output<typeof FlaggedByMe>
