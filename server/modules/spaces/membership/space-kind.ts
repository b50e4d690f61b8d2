import type { Ctx } from '#server/core/ctx.ts'
import type { Authority } from '#server/modules/accounts/roles/assert-may-grant.ts'
import type { Membership, PublishedAct, SpaceTable } from '#server/modules/spaces/membership/space-kinds.ts'

/** Someone whom an action concerns, and their membership before it. */
export interface Concerned {
  userId: string
  membership: Membership
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

/** A kind of space, as its own module defines it: `ban(ctx, channelSpace, …)`. */
export interface SpaceKind<Answer> extends SpaceTable {
  /** Locks it for one action on members. NOT_FOUND for one that the caller may not see, FORBIDDEN where they may not act. */
  lock(ctx: Ctx, spaceId: string, action: 'banMembers' | 'addMembers' | 'removeMembers' | 'assignRoles'): Promise<void>
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
