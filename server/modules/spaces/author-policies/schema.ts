import { z } from 'zod'
import { text } from '#server/core/text.ts'

const Id = text({ min: 1, max: 900 })
const PolicyId = z.string().regex(/^[1-9]\d{0,17}$/)

/** What is done with what a person writes: published at once, or held for review. */
export const PolicyKind = z.enum(['trust', 'hold'])
export type PolicyKind = z.output<typeof PolicyKind>

/** One community, or everywhere. */
export const PolicySpace = z.discriminatedUnion('scope', [
  z.object({ scope: z.literal('community'), communityId: Id }),
  z.object({ scope: z.literal('network') }),
])
export type PolicySpace = z.output<typeof PolicySpace>

const HOUR = 60
const YEAR = 366 * 24 * HOUR

/**
 * From an hour to ten years, in minutes; null is until somebody ends it. An undo gives the `endsAt` of the policy before, which is then over at the same
 * time. `seen` is the policy that the caller saw in force there, null for none; absent: any. A reason of up to 500 characters.
 */
export const SetPolicyInput = z.object({
  userId: Id,
  space: PolicySpace,
  kind: PolicyKind,
  minutes: z
    .int()
    .min(HOUR)
    .max(10 * YEAR)
    .nullable()
    .default(null),
  endsAt: z.iso.datetime().optional(),
  reason: text({ max: 500 }).optional(),
  seen: PolicyId.nullable().optional(),
})
export type SetPolicyInput = z.output<typeof SetPolicyInput>

export const EndPolicyInput = z.object({ policyId: PolicyId })
export type EndPolicyInput = z.output<typeof EndPolicyInput>

/** The person, and the community where the caller came across them: without one, all that the person is a member of. */
export const PolicyChoicesInput = z.object({ userId: Id, communityId: Id.optional() })
export type PolicyChoicesInput = z.output<typeof PolicyChoicesInput>

/** A policy in force, as shown to reviewers of the person. Times are ISO 8601, UTC. Without `endsAt`, it is in force until somebody ends it. */
export const PolicyInForce = z
  .object({
    policyId: z.string(),
    kind: PolicyKind,
    space: PolicySpace,
    /** Of the community; empty for the network. */
    displayName: z.string(),
    by: z.string(),
    at: z.string(),
    endsAt: z.string().optional(),
    reason: z.string().optional(),
    /** Whether the caller may end it. */
    mayEnd: z.boolean(),
  })
  .meta({ id: 'AuthorPolicy' })
export type PolicyInForce = z.output<typeof PolicyInForce>

export const PoliciesOfAuthor = z.object({ policies: z.array(PolicyInForce) })

/** Where the caller may set a policy for this person, and the one in force there. */
export interface PolicyChoice {
  space: PolicySpace
  /** Of the community; empty for the network. */
  displayName: string
  policy?: Omit<PolicyInForce, 'space' | 'displayName' | 'mayEnd'>
}
