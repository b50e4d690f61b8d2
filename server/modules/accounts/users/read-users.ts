import type { Ctx } from '#server/core/ctx.ts'
import { listOf, query, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { User, UsersAnswer } from '#server/modules/accounts/users/schema.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'

/** The existing users of these public ids, in their order, then those of these internal ids; runs no query for empty lists. */
export async function readUsers(ctx: Ctx, userIds: string[], internalIds: string[] = []): Promise<User[]> {
  if (userIds.length + internalIds.length === 0) return []
  const orInternal = internalIds.length === 0 ? sql.empty : sql`or u.internal_id = any(${internalIds})`
  const rows = await query<UserRow>(
    ctx,
    sql`
    select ${USER_COLUMNS} from network_user u
    where u.user_id = any(${listOf(userIds)}) ${orInternal} order by array_position(${userIds}, u.user_id), u.user_id`,
  )
  return rows.map((row) => toUserView(ctx, row))
}

/** Users as the API returns them, with their avatars. Profiles are visible to everyone who is signed in. */
export async function answerUsers(ctx: Ctx, userIds: string[]): Promise<UsersAnswer> {
  const users = await readUsers(ctx, userIds)
  return { users, files: await readFiles(ctx, avatarsOf(users)) }
}

export function avatarsOf(pictured: { avatarFileId?: string | undefined }[]): string[] {
  return pictured.flatMap(({ avatarFileId }) => avatarFileId ?? [])
}

/** One user, by public or internal id. A deleted one is still returned. Fails with NOT_FOUND. */
export async function readUser(ctx: Ctx, input: { userId: string; type: 'public' | 'internal' }): Promise<UsersAnswer> {
  const column = input.type === 'public' ? sql`user_id` : sql`internal_id`
  const user = await queryOne<{ userId: string }>(
    ctx,
    sql`select user_id from network_user where ${column} = ${input.userId}`,
  )
  if (user === undefined) throw new DomainError('NOT_FOUND')
  return answerUsers(ctx, [user.userId])
}
