import type { Ctx } from '#server/core/ctx.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'
import type { Outcome } from '#server/modules/review/queue/schema.ts'

/** Where something stands that waits for a decision, or waited for one. */
export type ReviewState<Ends extends Outcome = Outcome> = 'waiting' | Ends

/** Something that waits, or waited: a locked row, and what the caller is to it. */
export interface ReviewItem {
  subjectId: string
  communityId: string | null
  channelId?: string | null
  authorId: string
  version: number
  isWaiting: boolean
  mayReview: boolean
}

export interface Transition<Ends extends Outcome = Outcome> {
  from: ReviewState<Ends>
  to: ReviewState<Ends>
  /** The version that is moved on from. */
  version: number
}

export interface TransitionResult {
  version: number
  /** Of its words, as `text_digest` makes it. */
  textDigest: Uint8Array | null
}

/** What is told of an outcome, and the thing as the caller sees it then. */
export interface Told<Seen = unknown> {
  happening: NewEvent
  /** Read in the transaction of the outcome, where it is asked for. */
  readSeen: () => Promise<Seen>
}

/** What a kind of thing must be able to do to wait, be decided on and be taken back. */
export interface ReviewHandler<Row extends ReviewItem = ReviewItem, Ends extends Outcome = Outcome, Seen = unknown> {
  /** Reads and locks inside the caller's scope: NOT_FOUND for what the caller may not know of. */
  lock(ctx: Ctx, subjectId: string): Promise<Row>
  /** Compare-and-set on standing and version, with what it counts for. Undefined where it is no longer as it was seen. */
  move(ctx: Ctx, row: Row, move: Transition<Ends>): Promise<TransitionResult | undefined>
  /** What the log calls a standing. */
  toAuditState(standing: ReviewState<Ends>): Record<string, string>
  /** What is told of an outcome, once it stands. */
  publish(ctx: Ctx, row: Row, outcome: Ends): Promise<Told<Seen>>
}
