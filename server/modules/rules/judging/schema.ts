import { z } from 'zod'
import { RuleSeverity } from '#server/modules/rules/registry/schema.ts'

/** A rule in its version, and where it fired, in UTF-16 units, the end excluded (docs/interface/review-queue.md#reasons). */
export const RuleReason = z
  .object({
    type: z.literal('rule'),
    ruleId: z.string(),
    version: z.int(),
    name: z.string(),
    severity: RuleSeverity,
    label: z.string().optional(),
    found: z.array(z.object({ field: z.enum(['title', 'text']), from: z.int(), to: z.int() })),
  })
  .meta({ id: 'RuleReason' })
export type RuleReason = z.output<typeof RuleReason>

/** The treatment by which all that its author writes there is held. */
const TreatmentReason = z
  .object({ type: z.literal('treatment'), treatmentId: z.string() })
  .meta({ id: 'TreatmentReason' })

/** Why content is held, rejected or reported. */
export const ReviewReason = z.discriminatedUnion('type', [RuleReason, TreatmentReason]).meta({ id: 'ReviewReason' })
export type ReviewReason = z.output<typeof ReviewReason>
