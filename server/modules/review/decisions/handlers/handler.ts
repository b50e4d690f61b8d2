import type { Ctx } from '#server/core/ctx.ts'
import type { Sql } from '#server/core/db.ts'
import type { CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import type { Delta } from '#server/modules/ledger/counts/record-delta.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'
import type { ClaimedRow } from '#server/modules/review/decisions/may-decide.ts'
import type { Deciding, ItemKind, Outcome, Subject } from '#server/modules/review/decisions/schema.ts'

/** The state of an item: pending, or the outcome that ended that. */
export type ReviewState<Ends extends Outcome = Outcome> = 'waiting' | Ends

/** An item that is or was pending, as it was read, and the caller's relation to it. */
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
}

/** A transition and its moment, which the change, its event and its answer share. */
export interface TransitionAt<Ends extends Outcome = Outcome> extends Transition<Ends> {
  at: Date
}

export interface TransitionResult {
  version: number
  /** The `text_digest` of its text. */
  textDigest: Uint8Array | null
  /** When it was held for review, if it was. */
  heldAt?: Date | null
}

/** The event that an outcome publishes, and the item as the caller then sees it. */
export interface Publication {
  event: NewEvent
  /** Absent where the caller reads it themselves. */
  seen?: CommentsEnvelope
}

/** What deciding on an item changes, beside the item itself. */
export interface Change extends Publication {
  /** The item's version afterwards. */
  after: number
  /** The counts, as far as they have not been changed. */
  deltas?: Delta[]
  /** What the item became, where it was moved under a lock. */
  moved?: TransitionResult
}

/** An item with all that deciding on it publishes and answers. */
export interface UndecidedItem<Ends extends Outcome = Outcome> extends ReviewItem {
  /** The words of the managed reason. */
  managedReason: string | null
  /** What deciding on it changes; undefined where that takes more than one statement. */
  changeTo(ctx: Ctx, move: TransitionAt<Ends>): Promise<Change | undefined> | Change | undefined
}

/** An item as it was read: what a compare-and-set compares. */
export interface SeenItem extends Partial<ClaimedRow> {
  subjectId: string
  version: number
}

/** Which item is read for which decision. */
export interface UndecidedInput extends Subject, Deciding {
  /** Whether the caller is answered with the item, which takes what only they see. */
  isShown?: boolean
}

/** How items of one type are decided at once: read with all that their events contain, then changed and recorded by one statement. */
export interface AtOnceHandler<Ends extends Outcome = Outcome> {
  /** Reads one within the caller's scope: undefined for what the caller may not see. */
  readOne(ctx: Ctx, input: UndecidedInput): Promise<UndecidedItem<Ends> | undefined>
  /** Reads several within the caller's scope, by their ids, and locks them; what the caller may not see is absent. */
  readSeveral(ctx: Ctx, subjectIds: string[], deciding: Deciding): Promise<UndecidedItem<Ends>[]>
  /**
   * Common table expressions, among them `moved`: compares and sets the items, locked in the order of their ids, and has a row with
   * `subject_id`, `version`, `text_digest` and `held_at` for each that was still the same, and that nobody else has claimed since.
   */
  moved(ctx: Ctx, items: SeenItem[], move: TransitionAt<Ends>): Sql
}

/** What each type of item implements to be held, decided on and undone. */
export interface ReviewHandler<Row extends ReviewItem = ReviewItem, Ends extends Outcome = Outcome> {
  /** The kind of the items that it decides on. */
  kind: ItemKind
  /** Absent for what is only decided under a lock. */
  atOnce?: AtOnceHandler<Ends>
  /** Reads and locks within the caller's scope: NOT_FOUND for what the caller may not see. */
  lock(ctx: Ctx, subjectId: string): Promise<Row>
  /** Compare-and-set on state and version, including counts. Returns undefined, and changes nothing, if the item can't be moved. */
  move(ctx: Ctx, row: Row, move: Transition<Ends>): Promise<TransitionResult | undefined>
  /** The state's name in the log. */
  toAuditState(state: ReviewState<Ends>): Record<string, string>
  /** The event that an outcome publishes, after the change. */
  publish(ctx: Ctx, row: Row, outcome: Ends): Promise<Publication>
}
