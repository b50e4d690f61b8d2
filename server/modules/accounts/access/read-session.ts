import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Session } from '#server/modules/accounts/access/schema.ts'
import { readRolesOf } from '#server/modules/accounts/roles/read-roles.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'

type Holder = Pick<Session, 'users' | 'roles' | 'files'>

/** The user of the caller's access token, and when it expires. */
export async function readSession(ctx: Ctx): Promise<Session> {
  const tokenId = 'tokenId' in ctx.actor ? ctx.actor.tokenId : undefined
  const token =
    tokenId === undefined
      ? undefined
      : await queryOne<{ userId: string | null; createdAt: Date; expiresAt: Date }>(
          ctx,
          sql`
          select user_id, created_at, expires_at from access_token where token_id = ${tokenId}`,
        )
  if (token === undefined) throw new DomainError('UNAUTHORIZED')

  const times = { issuedAt: token.createdAt.toISOString(), expiresAt: token.expiresAt.toISOString() }
  return token.userId === null
    ? { users: [], roles: [], files: [], ...times }
    : { ...(await readHolder(ctx, token.userId)), ...times, userType: 'signed-in' }
}

/** The user of a session, with their network roles and their avatar. */
export async function readHolder(ctx: Ctx, userId: string): Promise<Holder> {
  const user = await queryOne<UserRow>(ctx, sql`select ${USER_COLUMNS} from network_user u where u.user_id = ${userId}`)
  if (user === undefined) throw new DomainError('NOT_FOUND')
  const [roles, files] = await Promise.all([
    readRolesOf(ctx, [user]),
    readFiles(ctx, user.avatarFileId === null ? [] : [user.avatarFileId]),
  ])
  return { users: [toUserView(ctx, user)], roles, files }
}
