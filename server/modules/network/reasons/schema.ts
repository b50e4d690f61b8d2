import { z } from 'zod'
import { text, visibleText } from '#server/core/text.ts'
import { PolicyId } from '#server/modules/network/policies/schema.ts'

export const REASONS_LIMIT = 50

const ReasonId = text({ min: 1, max: 100 })

/** A reason for rejecting something, and the text shown to its author. Up to 100 and 500 characters. */
export const ReasonFields = z.object({
  label: visibleText({ max: 100 }),
  textToAuthor: text({ max: 500 }).optional(),
  /** Its policy. */
  policyId: PolicyId.optional(),
})
export type ReasonFields = z.output<typeof ReasonFields>

export const ReasonInput = z.object({ reasonId: ReasonId })
export type ReasonInput = z.output<typeof ReasonInput>
export const ReasonChange = ReasonFields.extend({ reasonId: ReasonId })
export type ReasonChange = z.output<typeof ReasonChange>
/** All reasons in use, in their new order. */
export const ReasonOrder = z.object({ reasonIds: z.array(ReasonId).max(REASONS_LIMIT) })
export type ReasonOrder = z.output<typeof ReasonOrder>

export interface RejectionReason {
  reasonId: string
  label: string
  textToAuthor?: string
  policyId?: string
}
