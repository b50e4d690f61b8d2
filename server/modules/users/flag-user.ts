import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, query } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordEvent } from '#server/modules/events/record-event.ts'
import { addFlag, type FlagSubject, isFlaggedByCaller, removeFlag } from '#server/modules/flags/flag-subject.ts'
import type { NewFlag } from '#server/modules/flags/schema.ts'
import { answerUsers, readUsers } from '#server/modules/users/read-users.ts'
import type { UsersAnswer } from '#server/modules/users/schema.ts'

/**
 * Reports someone; a second report by the same person changes nothing. Fails with NOT_FOUND, and with FORBIDDEN for oneself and
 * for an admin token.
 */
export function flagUser(ctx: Ctx, { userId, flag }: { userId: string; flag: NewFlag }): Promise<UsersAnswer> {
  return inTransaction(ctx, async (ctx) => {
    await lockUser(ctx, userId)
    if (userId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
    const flagCount = await addFlag(ctx, subjectOf(userId), flag)
    return tell(ctx, userId, flagCount === undefined ? undefined : 'user.didFlag')
  })
}

/** Takes one's own report back; without one nothing changes. Fails with NOT_FOUND, and with FORBIDDEN for an admin token. */
export function unflagUser(ctx: Ctx, { userId }: { userId: string }): Promise<UsersAnswer> {
  return inTransaction(ctx, async (ctx) => {
    await lockUser(ctx, userId)
    const isTaken = await removeFlag(ctx, subjectOf(userId))
    return tell(ctx, userId, isTaken ? 'user.didUnflag' : undefined)
  })
}

/** Fails with NOT_FOUND. */
export async function isUserFlaggedByMe(ctx: Ctx, { userId }: { userId: string }): Promise<{ isFlagByMe: boolean }> {
  const [user] = await readUsers(ctx, [userId])
  if (user === undefined) throw new DomainError('NOT_FOUND')
  return { isFlagByMe: await isFlaggedByCaller(ctx, subjectOf(userId)) }
}

function subjectOf(userId: string): FlagSubject {
  return { type: 'user', id: userId }
}

async function lockUser(ctx: Ctx, userId: string): Promise<void> {
  const found = await query(
    ctx,
    Prisma.sql`
    select u.user_id as "userId" from network_user u where u.user_id = ${userId} and not u.is_deleted for no key update`,
  )
  if (found.length === 0) throw new DomainError('NOT_FOUND')
}

/** What changed nothing is not told. */
async function tell(ctx: Ctx, userId: string, event: string | undefined): Promise<UsersAnswer> {
  const answer = await answerUsers(ctx, [userId])
  if (event !== undefined) {
    await recordEvent(ctx, { name: event, subjectType: 'user', subjectId: userId, payload: { ...answer } })
  }
  return answer
}
