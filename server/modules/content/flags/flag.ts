import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { requireUser } from '#server/core/require-user.ts'
import type { NewFlag } from '#server/modules/content/flags/schema.ts'
import {
  addFlag,
  addRuleFlags,
  type FlagSubject,
  isFlaggedBy,
  removeFlag,
  removeFlags,
} from '#server/modules/content/flags/write-flags.ts'
import { type NewEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { SubjectType } from '#server/modules/ledger/reports/subjects.ts'
import type { FiredRule } from '#server/modules/rules/conditions/judge.ts'
import { asRules } from '#server/modules/rules/judging/as-rules.ts'
import { publishMatch } from '#server/modules/rules/judging/publish-match.ts'

/** The space of a subject that was found. */
export interface Placed {
  communityId?: string | null
  channelId?: string | null
  /** Whether its author deleted it: nothing makes it visible again. */
  isWithdrawn?: boolean
}

export interface FlagChange {
  verb: 'didFlag' | 'didUnflag' | 'didClearFlag'
  /** The number of flags after the change. */
  flagCount: number
}

/** What flag events contain besides the subject; clearing and rules have no flagging user (docs/interface/webhooks.md#messages-and-users). */
export function flaggedBy(ctx: Ctx, verb: FlagChange['verb']): { flaggedUserId?: string } {
  return verb === 'didClearFlag' || ctx.actor.kind === 'system' ? {} : { flaggedUserId: requireUser(ctx) }
}

/** Something that can be flagged, as its own module defines it. */
export interface Flaggable<Subject extends Placed, Answer> {
  type: SubjectType
  /** Reads it inside the caller's scope: NOT_FOUND for one the caller may not see. */
  find(ctx: Ctx, id: string): Promise<unknown>
  /** Reads it inside the caller's scope and locks it until the transaction ends. */
  lock(ctx: Ctx, id: string): Promise<Subject>
  /** Whether the caller may flag it, once found; if absent, they may. */
  mayFlag?(subject: Subject): boolean
  /** Whether the caller may clear everybody's flags. */
  mayClear(subject: Subject): boolean
  /** Updates what depends on the flags, in the transaction of the change. */
  afterFlag?(ctx: Ctx, subject: Subject, change: FlagChange): Promise<void>
  /** The event published for the change. */
  eventOf(ctx: Ctx, subject: Subject, verb: FlagChange['verb']): Promise<NewEvent>
  answer(ctx: Ctx, ids: string[]): Promise<Answer>
  /** The event and the answer where one reading serves both. */
  publish?(ctx: Ctx, subject: Subject, verb: FlagChange['verb']): Promise<{ event: NewEvent; answer: Answer }>
}

interface This {
  id: string
}

/** Flags something for the caller; flagging again changes nothing. Fails as its `lock` does, and with FORBIDDEN for an admin token. */
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

/**
 * Flags content for live rules that fired on it, in the transaction that changes it; a rule that has flagged it already changes nothing. `ctx`
 * is its author's: the log and the events name the rules all the same.
 */
export async function flagByRules<Subject extends Placed>(
  ctx: Ctx,
  flaggable: Flaggable<Subject, unknown>,
  { id, rules }: This & { rules: FiredRule[] },
): Promise<void> {
  if (rules.length === 0) return
  const { type } = flaggable
  const found = await flaggable.lock(ctx, id)
  const { communityId = null, channelId = null } = found
  const byRules = asRules(ctx)
  const flagged = await addRuleFlags(byRules, { type, id, communityId, channelId }, rules)
  if (flagged === undefined) return
  await flaggable.afterFlag?.(byRules, found, { verb: 'didFlag', flagCount: flagged.flagCount })
  await recordEvent(byRules, await flaggable.eventOf(byRules, found, 'didFlag'))
  await publishMatch(byRules, { type, id, communityId }, flagged.added)
}

/** Removes the caller's flag; without one nothing changes. Fails as `flag` does. */
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

/** Clears everybody's flags: for moderators. Fails as its `lock` does, and with FORBIDDEN for anyone else. */
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

/** Fails as its `find` does. An admin token has no flags. */
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
  /** The number of flags after the change; undefined where nothing changed. */
  write(ctx: Ctx, subject: FlagSubject, found: Subject): Promise<number | undefined>
}

/** A call that changed nothing is neither logged nor published. */
function change<Subject extends Placed, Answer>(
  ctx: Ctx,
  flaggable: Flaggable<Subject, Answer>,
  { id, verb, write }: Change<Subject>,
): Promise<Answer> {
  return inTransaction(ctx, async (ctx) => {
    const found = await flaggable.lock(ctx, id)
    const { communityId = null, channelId = null } = found
    const flagCount = await write(ctx, { type: flaggable.type, id, communityId, channelId }, found)
    if (flagCount === undefined) return flaggable.answer(ctx, [id])
    await flaggable.afterFlag?.(ctx, found, { verb, flagCount })
    const published = await flaggable.publish?.(ctx, found, verb)
    await recordEvent(ctx, published?.event ?? (await flaggable.eventOf(ctx, found, verb)))
    return published?.answer ?? flaggable.answer(ctx, [id])
  })
}
