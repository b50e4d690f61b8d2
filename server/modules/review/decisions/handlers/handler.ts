import type { Ctx } from '#server/core/ctx.ts'
import type { Sql } from '#server/core/db.ts'
import type { Delta } from '#server/modules/ledger/counts/record-delta.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'
import type { ClaimedRow } from '#server/modules/review/decisions/may-decide.ts'
import type { Deciding, Outcome, Subject } from '#server/modules/review/decisions/schema.ts'

/** The space of an item that is or was pending. */
export type ReviewState<Ends extends Outcome = Outcome> = 'waiting' | Ends

/** An item that is or was pending: a locked row, and the caller's relation to it. */
export interface ReviewItem extends Partial<ClaimedRow> {
  subjectId: string
  communityId: string | null
  channelId?: string | null
  authorId: string
  version: number
  isWaiting: boolean
  mayReview: boolean
  /** Whether nobody sees what it is on; absent where that is only known under a lock. */
  isPlaceGone?: boolean
}

export interface Transition<Ends extends Outcome = Outcome> {
  from: ReviewState<Ends>
  to: ReviewState<Ends>
  /** The version before the change. */
  version: number
}

export interface TransitionResult {
  version: number
  /** The `text_digest` of its text. */
  textDigest: Uint8Array | null
  /** When it was held for review, if it was. */
  heldAt?: Date | null
}

/** The event that an outcome publishes, and the item as the caller then sees it. */
export interface Publication<Seen = unknown> {
  newEvent: NewEvent
  /** Read in the transaction of the outcome, if requested. */
  readSeen: () => Promise<Seen>
}

/** An item that was read, but not locked, with all that deciding on it publishes and answers. */
export interface UndecidedItem<Ends extends Outcome = Outcome, Seen = unknown> extends ReviewItem {
  /** The words of the managed reason. */
  managedReason: string | null
  /** The change in one statement; undefined where it takes more. */
  changeTo(ctx: Ctx, move: Transition<Ends>): ChangeAtOnce<Seen> | undefined
}

export interface ChangeAtOnce<Seen> {
  /** Compares and sets state and version: a query for one row with `version`, `text_digest` and `held_at`, or none. */
  moved: Sql
  /** The counts that change with it. */
  deltas: Delta[]
  event: NewEvent
  /** The item as the caller sees it afterwards, if it was read for that. */
  seen: Seen | undefined
}

/** Which item is read for which decision. */
export interface UndecidedInput extends Subject, Deciding {
  /** Whether the caller is answered with the item, which takes what only they see. */
  isShown?: boolean
}

/** How several items of one type are read, and changed, by one statement each. */
export interface BatchHandler<Ends extends Outcome = Outcome, Seen = unknown> {
  /** Reads within the caller's scope, by their ids; what the caller may not see is absent. */
  read(ctx: Ctx, subjectIds: string[], deciding: Deciding): Promise<Map<string, UndecidedItem<Ends, Seen>>>
  /**
   * Common table expressions, among them `moved`: compares and sets the items, locked in the order of their ids, and has a row with
   * `subject_id`, `version`, `text_digest` and `held_at` for each that was still the same.
   */
  moved(ctx: Ctx, items: { subjectId: string; version: number }[], to: Ends): Sql
}

/** What each type of item implements to be held, decided on and undone. */
export interface ReviewHandler<Row extends ReviewItem = ReviewItem, Ends extends Outcome = Outcome, Seen = unknown> {
  /** Reads within the caller's scope: undefined for what the caller may not see. Absent for what is only decided under a lock. */
  readUndecided?(ctx: Ctx, input: UndecidedInput): Promise<UndecidedItem<Ends, Seen> | undefined>
  /** Absent for items that are decided one by one. */
  batch?: BatchHandler<Ends, Seen>
  /** Reads and locks within the caller's scope: NOT_FOUND for what the caller may not see. */
  lock(ctx: Ctx, subjectId: string): Promise<Row>
  /** Compare-and-set on state and version, including counts. Returns undefined if the item has changed since it was read. */
  move(ctx: Ctx, row: Row, move: Transition<Ends>): Promise<TransitionResult | undefined>
  /** The state's name in the log. */
  toAuditState(standing: ReviewState<Ends>): Record<string, string>
  /** The event that an outcome publishes, after the change. */
  publish(ctx: Ctx, row: Row, outcome: Ends): Promise<Publication<Seen>>
}
