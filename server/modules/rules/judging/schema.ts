import { z } from 'zod'
import { RuleSeverity } from '#server/modules/rules/registry/schema.ts'

/**
 * Why content is held: a rule in its version, and where it fired, in UTF-16 units, the end excluded
 * (docs/interface/review-queue.md#reasons).
 */
export const ReviewReason = z
  .object({
    type: z.literal('rule'),
    ruleId: z.string(),
    version: z.int(),
    name: z.string(),
    severity: RuleSeverity,
    label: z.string().optional(),
    found: z.array(z.object({ field: z.enum(['title', 'text']), from: z.int(), to: z.int() })),
  })
  .meta({ id: 'ReviewReason' })
export type ReviewReason = z.output<typeof ReviewReason>
