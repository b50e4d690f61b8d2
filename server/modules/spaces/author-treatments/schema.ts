import { z } from 'zod'
import { text } from '#server/core/text.ts'

const Id = text({ min: 1, max: 900 })
const TreatmentId = z.string().regex(/^[1-9]\d{0,17}$/)

/** What is done with what a person writes: published at once, or held for review. */
export const TreatmentKind = z.enum(['trust', 'hold'])
export type TreatmentKind = z.output<typeof TreatmentKind>

/** One community, or everywhere. */
export const TreatmentSpace = z.discriminatedUnion('scope', [
  z.object({ scope: z.literal('community'), communityId: Id }),
  z.object({ scope: z.literal('network') }),
])
export type TreatmentSpace = z.output<typeof TreatmentSpace>

const HOUR = 60
const YEAR = 366 * 24 * HOUR

/**
 * From an hour to ten years, in minutes; null is until somebody ends it. An undo gives the `endsAt` of the treatment before, which is then over at the same
 * time. `seen` is the treatment that the caller saw in force there, null for none; absent: any. A reason of up to 500 characters.
 */
export const SetTreatmentInput = z.object({
  userId: Id,
  space: TreatmentSpace,
  kind: TreatmentKind,
  minutes: z
    .int()
    .min(HOUR)
    .max(10 * YEAR)
    .nullable()
    .default(null),
  endsAt: z.iso.datetime().optional(),
  reason: text({ max: 500 }).optional(),
  seen: TreatmentId.nullable().optional(),
})
export type SetTreatmentInput = z.output<typeof SetTreatmentInput>

export const EndTreatmentInput = z.object({ treatmentId: TreatmentId })
export type EndTreatmentInput = z.output<typeof EndTreatmentInput>

/** The person, and the community where the caller came across them: without one, all that the person is a member of. */
export const TreatmentChoicesInput = z.object({ userId: Id, communityId: Id.optional() })
export type TreatmentChoicesInput = z.output<typeof TreatmentChoicesInput>

/** A treatment in force, as shown to reviewers of the person. Times are ISO 8601, UTC. Without `endsAt`, it is in force until somebody ends it. */
export const TreatmentInForce = z
  .object({
    treatmentId: z.string(),
    kind: TreatmentKind,
    space: TreatmentSpace,
    /** Of the community; empty for the network. */
    displayName: z.string(),
    by: z.string(),
    at: z.string(),
    endsAt: z.string().optional(),
    reason: z.string().optional(),
    /** Whether the caller may end it. */
    mayEnd: z.boolean(),
  })
  .meta({ id: 'AuthorTreatment' })
export type TreatmentInForce = z.output<typeof TreatmentInForce>

export const TreatmentsOfAuthor = z.object({ treatments: z.array(TreatmentInForce) })

/** Where the caller may set a treatment for this person, and the one in force there. */
export interface TreatmentChoice {
  space: TreatmentSpace
  /** Of the community; empty for the network. */
  displayName: string
  treatment?: Omit<TreatmentInForce, 'space' | 'displayName' | 'mayEnd'>
}
