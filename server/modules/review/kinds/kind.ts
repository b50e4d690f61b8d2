import type { Ctx } from '#server/core/ctx.ts'
import type { EventName } from '#server/modules/events/schema.ts'

/** Where something that was held stands: it waits, or one of the two outcomes. */
export type Standing = 'waiting' | 'approved' | 'rejected'

/** Something that is or was held: a locked row, and what the caller is to it. */
export interface Held {
  subjectId: string
  communityId: string | null
  authorId: string
  version: number
  isWaiting: boolean
  mayReview: boolean
}

export interface Move {
  from: Standing
  to: Standing
  /** The version that is moved on from. */
  version: number
}

export interface Moved {
  version: number
  /** Of its words, as `text_digest` makes it. */
  textDigest: Uint8Array | null
}

/** What a kind of thing must be able to do to be held, decided on and taken back. */
export interface HeldKind<Row extends Held = Held> {
  /** Reads and locks inside the caller's scope: NOT_FOUND for what the caller may not know of. */
  lock(ctx: Ctx, subjectId: string): Promise<Row>
  /** Compare-and-set on standing and version, with what it counts for. Undefined where it is no longer as it was seen. */
  move(ctx: Ctx, row: Row, move: Move): Promise<Moved | undefined>
  /** What the log calls a standing. */
  logged(standing: Standing): Record<string, string>
  /** What integrators are told of an outcome. */
  events: Record<Exclude<Standing, 'waiting'>, EventName>
  payload(ctx: Ctx, row: Row): Promise<Record<string, unknown>>
}
