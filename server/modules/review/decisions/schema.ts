import { z } from 'zod'
import { ResourceId, text } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'

/** A reason for a decision, as text (docs/interface/review-queue.md#approve-or-decline). */
export const Reason = text({ max: 250 })

/** What can be decided on: held comments and posts, and reported comments, posts, messages and people. */
export const SubjectType = z.enum(['comment', 'post', 'message', 'user'])
export type SubjectType = z.output<typeof SubjectType>
export const Subject = z.object({ subjectType: SubjectType, subjectId: ResourceId })
export type Subject = z.output<typeof Subject>

/** Why an item is pending. Text in the database: a new kind is no migration (ARCHITECTURE.md#a-new-kind). */
export const ItemKind = z.enum(['held', 'reported'])
export type ItemKind = z.output<typeof ItemKind>

export const HeldOutcome = z.enum(['approved', 'rejected'])
export type HeldOutcome = z.output<typeof HeldOutcome>
/** For a report: clears its flags and keeps the subject, or deletes the subject. */
export const ReportOutcome = z.enum(['dismissed', 'deleted'])
export type ReportOutcome = z.output<typeof ReportOutcome>
export const Outcome = z.enum([...HeldOutcome.options, ...ReportOutcome.options])
export type Outcome = z.output<typeof Outcome>

/** Who claimed an item, and until when, unless they release it or somebody decides on it. */
export interface Claim {
  by: { userId: string; displayName: string }
  until: string
}

export const DecideInput = Subject.extend({
  outcome: Outcome,
  /** The version the caller saw; if it was edited or decided since, the decision fails with CHANGED. */
  version: Version,
  /** One of the managed reasons, and a custom text. */
  reasonId: text({ min: 1, max: 100 }).optional(),
  reason: Reason.optional(),
  /** The caller's own key for this decision: a repeated request is applied once and gets the same response. */
  clientKey: text({ min: 1, max: 100 }).optional(),
  /** Who had claimed the item when the caller saw it; if anyone else has claimed it, the decision fails with CHANGED. */
  despiteClaimOf: ResourceId.optional(),
})
export type DecideInput = z.output<typeof DecideInput>

/** Reverses an approval into a rejection, or restores what rules rejected. */
export const ReverseInput = DecideInput.omit({ outcome: true, despiteClaimOf: true })
export type ReverseInput = z.output<typeof ReverseInput>

/** What REST and the desk both send with a decision. Over REST the version is optional: the current version is then decided. */
export interface Deciding {
  outcome: Outcome
  version?: number | undefined
  reasonId?: string | undefined
  reason?: string | undefined
  clientKey?: string | undefined
  /** The bulk action it belongs to. */
  bulkId?: string | undefined
  /** The claimant the caller was warned of. */
  despiteClaimOf?: string | undefined
}

/** Over REST the reason and the version are optional. */
export const DecisionBody = z.object({ reason: Reason.optional(), version: Version.optional() }).nullish()

export interface Decided extends Subject {
  decisionId: string
  outcome: Outcome
  /** Its current version. */
  version: number
  /** Until when it can be undone; its event is not published before. */
  undoUntil: string
}

export const UndoInput = z.object({ decisionId: z.string().regex(/^\d{1,18}$/) })
export type UndoInput = z.output<typeof UndoInput>

export interface Undone extends Subject {
  version: number
}

/** Why the caller rejected something, given before the event is published: a managed reason, a custom text, or both. */
export const GiveReasonInput = UndoInput.extend({
  reasonId: text({ min: 1, max: 100 }).optional(),
  reason: Reason.refine((words) => words.trim() !== '', 'must not be blank').optional(),
}).refine(({ reasonId, reason }) => reasonId !== undefined || reason !== undefined, 'reasonId or reason is required')
export type GiveReasonInput = z.output<typeof GiveReasonInput>

export interface GivenReason extends Subject {
  /** As text. */
  reason: string
}

/** What a reviewer learns if an item has changed since they saw it (docs/interface/review-queue.md#conflicts). */
export interface ChangedFacts {
  decision?: Outcome
  decidedBy?: string
  decidedByName?: string
  decidedAt?: string
  /** It is still pending, but somebody else has claimed it. */
  claimedBy?: string
  claimedByName?: string
  claimedUntil?: string
  version: number
}
