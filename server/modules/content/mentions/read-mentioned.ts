import type { Ctx } from '#server/core/ctx.ts'
import { listOf, query, sql } from '#server/core/db.ts'
import type { Mentionee, NewMentionees } from '#server/modules/content/mentions/schema.ts'

/** Mentions as they are stored, with all forms of each user's id; unknown ids are left out. */
export async function readMentioned(ctx: Ctx, mentionees: NewMentionees): Promise<Mentionee[]> {
  const userIds = mentionees.flatMap((mentionee) => mentionee.userIds)
  if (userIds.length === 0) return []

  const users = await query<{ userId: string; internalId: string }>(
    ctx,
    sql`select user_id, internal_id from network_user where user_id = any(${listOf(userIds)})`,
  )
  const internalIds = new Map(users.map((user) => [user.userId, user.internalId]))
  return mentionees.map(({ type, userIds }) => {
    const known = [...new Set(userIds)].filter((userId) => internalIds.has(userId))
    return {
      type,
      userIds: known,
      userPublicIds: known,
      userInternalIds: known.flatMap((userId) => internalIds.get(userId) ?? []),
    }
  })
}

/** How many people are mentioned. */
export function countMentioned(mentionees: Mentionee[]): number {
  return new Set(mentionees.flatMap(({ userIds }) => userIds ?? [])).size
}
