import { z } from 'zod'
import { ResourceId, text, visibleText } from '#server/core/text.ts'
import { WARNING_LENGTH } from '#server/modules/network/policies/schema.ts'
import { TreatmentSpace } from '#server/modules/spaces/author-treatments/schema.ts'

/** A warning to a person: in a community or everywhere, for a policy, in words of one's own, or both; about something that they wrote there, or nothing in particular. */
export const WarnInput = z
  .object({
    userId: ResourceId,
    space: TreatmentSpace,
    policyId: text({ min: 1, max: 100 }).optional(),
    words: visibleText({ max: WARNING_LENGTH }).optional(),
    about: z.object({ type: z.enum(['comment', 'post', 'message']), id: ResourceId }).optional(),
  })
  .refine(({ policyId, words }) => policyId !== undefined || words !== undefined, 'policyId or words is required')
export type WarnInput = z.output<typeof WarnInput>

export const WarningParams = z.object({ statementId: ResourceId })
export type WarningParams = z.output<typeof WarningParams>
