import type { Ctx } from '#server/core/ctx.ts'
import type { Sql } from '#server/core/db.ts'
import type { TallyKind } from '#server/modules/ledger/counts/record-delta.ts'
import type { LockedItem } from '#server/modules/review/decisions/lock-pending.ts'
import type { ItemKind, Subject, SubjectType } from '#server/modules/review/decisions/schema.ts'
import type { TextsWanted } from '#server/modules/review/queue/queue-item.ts'
import type { DeskQueueInput, QueueItem, QueuePage, QueueView } from '#server/modules/review/queue/schema.ts'

/** What differs by why an item is pending. Everything else about `review_item` is the same for all kinds. */
export interface Kind {
  name: ItemKind
  /** The view that lists what is open of this kind. */
  view: QueueView
  /** Whether the caller may review `review_item i`, also once it is decided: a condition that is only asked of items of this kind. */
  mayReview(ctx: Ctx): Sql
  /** Whether the queue of `review_item i` is open: a condition that is only asked of pending items of this kind. */
  isOpen: Sql
  /** A page of its view. Fails as `listDeskQueue` does. */
  list(ctx: Ctx, input: DeskQueueInput, options: ListOptions): Promise<QueuePage>
  /** Reads items as lists show them: `items` selects rows of `review_item` of this kind. */
  read(ctx: Ctx, items: Sql, options: ReadOptions): Promise<QueueItem[]>
  /**
   * Locks a pending item and its subject, also the caller's own work. Fails with NOT_FOUND for what the caller may not see, FORBIDDEN for what they may not
   * review, CHANGED if it is no longer pending.
   */
  lock(ctx: Ctx, subject: Subject): Promise<LockedItem>
  /** The totals that count it. Without these its view is counted item by item. */
  tallies?: Partial<Record<SubjectType, TallyKind>>
  /** Whether several that say the same are claimed together. */
  isGrouped: boolean
  /** Under what the log has what was done with it, beside what is done with the subject. */
  logged?: string
  /** What tells its events from those of held items: `desk.comment.didClaim`, `desk.comment.didClaimReport`. */
  eventSuffix: '' | 'Report'
}

export interface ListOptions {
  /** The most rows that a scan reads to find those of other groups. */
  scanLimit?: number
  /** With whole texts, and with the rest of large groups, which later pages leave out otherwise. */
  isExport?: boolean
}

export interface ReadOptions extends TextsWanted {
  /** With how many say the same. */
  isCounted: boolean
  /** With the score of this signal. */
  signal?: string | undefined
}
