import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { lockPerson } from '#server/modules/accounts/roles/lock-person.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { answerUsers } from '#server/modules/accounts/users/read-users.ts'
import type { UsersAnswer } from '#server/modules/accounts/users/schema.ts'
import { type Flaggable, flaggedBy, type Placed } from '#server/modules/content/flags/flag.ts'

interface FoundUser extends Placed {
  userId: string
  isSelf: boolean
  mayClear: boolean
}

/** Reporting oneself is FORBIDDEN. Those who may ban the user may clear reports. */
export const flaggableUser: Flaggable<FoundUser, UsersAnswer> = {
  type: 'user',
  find: findUser,
  lock: lockUser,
  mayFlag: ({ isSelf }) => !isSelf,
  mayClear: ({ mayClear }) => mayClear,
  eventOf: async (ctx, { userId }, verb) => {
    const payload = await answerUsers(ctx, [userId])
    return {
      name: `user.${verb}`,
      subjectType: 'user',
      subjectId: userId,
      payload: { ...payload, ...flaggedBy(ctx, verb) },
    }
  },
  answer: answerUsers,
}

function findUser(ctx: Ctx, userId: string): Promise<FoundUser> {
  return find(ctx, userId)
}

async function lockUser(ctx: Ctx, userId: string): Promise<FoundUser> {
  await lockPerson(ctx, userId)
  return find(ctx, userId)
}

async function find(ctx: Ctx, userId: string): Promise<FoundUser> {
  const isSelf = sql`coalesce(u.user_id = ${actingUserId(ctx) ?? null}, false)`
  const user = await queryOne<FoundUser>(
    ctx,
    sql`
    select u.user_id, ${isSelf} as is_self,
      ${holds(ctx, 'BAN_USER')} and not ${isSelf} and ${outranks(ctx, sql`u.user_id`, 'network')} as may_clear
    from network_user u where u.user_id = ${userId} and not u.is_deleted`,
  )
  if (user === undefined) throw new DomainError('NOT_FOUND')
  return user
}
