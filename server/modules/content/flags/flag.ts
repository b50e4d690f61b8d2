import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { requireUser } from '#server/core/require-user.ts'
import type { NewFlag } from '#server/modules/content/flags/schema.ts'
import type { SubjectType } from '#server/modules/content/flags/subjects.ts'
import {
  addFlag,
  type FlagSubject,
  isFlaggedBy,
  removeFlag,
  removeFlags,
} from '#server/modules/content/flags/write-flags.ts'
import { type NewEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'

/** Where something stands, once it was found. */
export interface Placed {
  communityId?: string | null
  channelId?: string | null
}

export interface FlagChange {
  verb: 'didFlag' | 'didUnflag' | 'didClearFlag'
  /** How many flags there are now. */
  flagCount: number
}

/** What events of flags hold beside the subject; clearing has no flagging user (docs/interface/webhooks.md#messages-and-users). */
export function flaggedBy(ctx: Ctx, verb: FlagChange['verb']): { flaggedUserId?: string } {
  return verb === 'didClearFlag' ? {} : { flaggedUserId: requireUser(ctx) }
}

/** What can be flagged, as the module whose it is knows it. */
export interface Flaggable<Subject extends Placed, Answer> {
  type: SubjectType
  /** Reads it inside the caller's scope: NOT_FOUND for what the caller may not know of. */
  find(ctx: Ctx, id: string): Promise<unknown>
  /** The same, locked until the transaction ends. */
  lock(ctx: Ctx, id: string): Promise<Subject>
  /** Whether the caller may flag it, having found it; without this they may. */
  mayFlag?(subject: Subject): boolean
  /** Whether the caller may take everybody's flags away. */
  mayClear(subject: Subject): boolean
  /** Settles what hangs on the flags, in the transaction of the change. */
  settle?(ctx: Ctx, subject: Subject, change: FlagChange): Promise<void>
  /** What is told of the change. */
  happening(ctx: Ctx, subject: Subject, verb: FlagChange['verb']): Promise<NewEvent>
  answer(ctx: Ctx, ids: string[]): Promise<Answer>
}

interface This {
  id: string
}

/** Flags something for the caller; once is enough. Fails as its `lock` does, and with FORBIDDEN for an admin token. */
export function flag<Subject extends Placed, Answer>(
  ctx: Ctx,
  flaggable: Flaggable<Subject, Answer>,
  { id, flag }: This & { flag: NewFlag },
): Promise<Answer> {
  return change(ctx, flaggable, {
    id,
    verb: 'didFlag',
    write: (ctx, subject, found) => {
      if (flaggable.mayFlag?.(found) === false) throw new DomainError('FORBIDDEN')
      return addFlag(ctx, subject, { ...flag, userId: requireUser(ctx) })
    },
  })
}

/** Takes the caller's flag back; without one nothing changes. Fails as `flag` does. */
export function unflag<Subject extends Placed, Answer>(
  ctx: Ctx,
  flaggable: Flaggable<Subject, Answer>,
  { id }: This,
): Promise<Answer> {
  return change(ctx, flaggable, {
    id,
    verb: 'didUnflag',
    write: (ctx, subject) => removeFlag(ctx, subject, requireUser(ctx)),
  })
}

/** Takes everybody's flags away: for moderators. Fails as its `lock` does, and with FORBIDDEN for anyone else. */
export function clearFlags<Subject extends Placed, Answer>(
  ctx: Ctx,
  flaggable: Flaggable<Subject, Answer>,
  { id }: This,
): Promise<Answer> {
  return change(ctx, flaggable, {
    id,
    verb: 'didClearFlag',
    write: (ctx, subject, found) => {
      if (!flaggable.mayClear(found)) throw new DomainError('FORBIDDEN')
      return removeFlags(ctx, subject)
    },
  })
}

/** Fails as its `find` does. Nobody's flag is an admin token's. */
export async function isFlaggedByMe(
  ctx: Ctx,
  { type, find }: Pick<Flaggable<Placed, unknown>, 'type' | 'find'>,
  { id }: This,
): Promise<boolean> {
  await find(ctx, id)
  const userId = actingUserId(ctx)
  return userId !== undefined && isFlaggedBy(ctx, { type, id }, userId)
}

interface Change<Subject> extends This {
  verb: FlagChange['verb']
  /** How many flags there are then; undefined where nothing changed. */
  write(ctx: Ctx, subject: FlagSubject, found: Subject): Promise<number | undefined>
}

/** What changed nothing is neither logged nor told. */
function change<Subject extends Placed, Answer>(
  ctx: Ctx,
  flaggable: Flaggable<Subject, Answer>,
  { id, verb, write }: Change<Subject>,
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    const found = await flaggable.lock(ctx, id)
    const { communityId = null, channelId = null } = found
    const flagCount = await write(ctx, { type: flaggable.type, id, communityId, channelId }, found)
    if (flagCount !== undefined) {
      await flaggable.settle?.(ctx, found, { verb, flagCount })
      await recordEvent(ctx, await flaggable.happening(ctx, found, verb))
    }
    return flaggable.answer(ctx, [id])
  })
}
