import type { Ctx } from '#server/core/ctx.ts'
import type { Flaggable } from '#server/modules/content/flags/flag.ts'
import type { ContentChange, PublishedContent } from '#server/modules/content/reviewable/content-event.ts'
import type { LockedContent } from '#server/modules/content/reviewable/lock-content.ts'
import type { Reviewable } from '#server/modules/content/reviewable/reviewable.ts'
import type { NewEvent } from '#server/modules/ledger/events/record-event.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'

type LoggedState = Record<string, string>

/** Comments or posts, as they are written, edited, held, rejected and deleted: what differs between them. */
export interface ContentKind<Locked extends LockedContent, Answer> {
  type: Reviewable['type']
  flaggable: Flaggable<Locked, Answer>
  eventOf(ctx: Ctx, content: PublishedContent, change: ContentChange): Promise<NewEvent>
  /** Its review state, for the log: undefined if it was never held. */
  stateOf(content: Locked): LoggedState | undefined
  /** What `stateOf` is once it is held, or rejected. */
  states: Record<'held' | 'rejected', LoggedState>
  rejectedEvent: EventName
  /**
   * Takes public or pending content out of where it is and of what counts there, as its next state: its row gets its version elsewhere. Returns the
   * ids of what is flagged of it.
   */
  move(ctx: Ctx, content: Locked, to: 'held' | 'rejected'): Promise<string[]>
}
