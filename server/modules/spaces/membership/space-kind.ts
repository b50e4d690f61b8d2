import type { Ctx } from '#server/core/ctx.ts'
import type { Sql } from '#server/core/db.ts'
import type { Authority } from '#server/modules/accounts/roles/assert-may-grant.ts'
import type {
  Membership,
  MembershipAct,
  PublishedAct,
  SpaceTable,
} from '#server/modules/spaces/membership/space-kinds.ts'

/** Someone whom an action concerns, and their membership before it. */
export interface Concerned {
  userId: string
  membership: Membership
}

/** A person whose membership changes, as they were before. */
export interface Changed extends Concerned {
  roles: string[]
  /** Whether they counted as a member. */
  wasMember: boolean
}

/** By how much the counts of the space change. */
export interface MemberCounts {
  members?: number
  moderators?: number
}

/** An action that was done on people. */
export interface DoneAct {
  spaceId: string
  act: PublishedAct
  /** The people asked for, whether or not anything changed for them. */
  userIds: string[]
  /** The people for whom something changed. */
  changed: string[]
}

export interface WantedPeople {
  spaceId: string
  userIds: string[]
  action: SpaceAction
  /** Whether their ranks are compared with the caller's. */
  comparesRanks: boolean
}

/** The stored values of a row of members. */
export interface StoredRow {
  membership: Membership
  isDeleted: boolean
  roles: string[]
}

/** A person as they are in a space, without a lock. */
export interface FoundPerson extends Changed {
  /** Whether the caller may act on them; true where ranks were not compared. */
  isBelow: boolean
  /** Null for people who have never been members or banned. */
  stored: StoredRow | null
}

/** A change that is about to be made. */
export interface PlannedChange {
  act: MembershipAct
  at: Date
  /** The people for whom something changes; for nobody, all people are answered. */
  changed: string[]
  counts: Required<MemberCounts>
}

export interface FoundPeople<Answer> {
  mayAct: boolean
  people: FoundPerson[]
  /** The caller's own row. */
  own: StoredRow | null
  /** What the event of the change contains, and what its caller gets. */
  publish(change: PlannedChange): { payload: Record<string, unknown>; answer: Answer }
}

export type SpaceAction = 'banMembers' | 'muteMembers' | 'addMembers' | 'removeMembers' | 'assignRoles'

/** A kind of space, as its own module defines it: `ban(ctx, channelSpace, …)`. */
export interface SpaceKind<Answer> extends SpaceTable {
  /** Locks it for one action on members. NOT_FOUND for one that the caller may not see, FORBIDDEN where they may not act. */
  lock(ctx: Ctx, spaceId: string, action: SpaceAction): Promise<void>
  /** Whether the caller may do this in the space that the column names, as an SQL condition. */
  mayAct(ctx: Ctx, action: SpaceAction, column: Sql): Sql
  /** `mayAct` where the caller's row of that space is already in the statement, under this alias. */
  mayActByRow(ctx: Ctx, action: SpaceAction, row: Sql): Sql
  /**
   * Reads it with people and all that an action on them publishes and answers, in one statement. Undefined for one that the caller may not
   * see.
   */
  find(ctx: Ctx, wanted: WantedPeople): Promise<FoundPeople<Answer> | undefined>
  /** Finds it for the caller, who wants to join. `isOpen`: whether people may join by themselves. */
  enter(ctx: Ctx, spaceId: string): Promise<{ membership: Membership; isOpen: boolean }>
  /** Finds it for the caller, who wants to leave; their own membership, if they may end it. */
  exit(ctx: Ctx, spaceId: string): Promise<Concerned[]>
  /** The most the caller may grant there. */
  authority(ctx: Ctx, spaceId: string): Promise<Authority>
  /** The space with these people. */
  answer(ctx: Ctx, spaceId: string, userIds: string[]): Promise<Answer>
  /** The space as members see it. */
  answerOwn(ctx: Ctx, spaceId: string): Promise<Answer>
  /** What the event of an action contains, and what its caller gets. */
  publish(ctx: Ctx, done: DoneAct): Promise<{ payload: Record<string, unknown>; answer: Answer }>
}
