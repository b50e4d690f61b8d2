import type { Ctx } from '#server/core/ctx.ts'
import { readUsers } from '#server/modules/accounts/users/read-users.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'

type UserId = string | null | undefined

interface Mention {
  userIds?: string[] | undefined
  userPublicIds?: string[] | undefined
  userInternalIds?: string[] | undefined
}

/** All the ways in which a row of a record refers to network users by their ids. */
export interface UserReferences {
  userId?: UserId
  postedUserId?: UserId
  sharedUserId?: UserId
  creatorId?: UserId
  feedCreatorId?: UserId
  createdBy?: UserId
  deletedBy?: UserId
  pinnedBy?: UserId
  responderId?: UserId
  mentionees?: Mention[] | null | undefined
  /** Of a room, stored as given. */
  participants?: Record<string, unknown>[] | null | undefined
  latestReaction?: { userId?: string | undefined } | null | undefined
}

/** The people that records refer to, for `users[]` of their envelope: authors, creators, everybody mentioned. One statement. */
export function readReferencedUsers(ctx: Ctx, records: UserReferences[]): Promise<User[]> {
  const { userIds, internalIds } = referencedIds(records)
  return readUsers(ctx, [...userIds], [...internalIds])
}

/** Those of these users that the records refer to, in the order of the references. */
export function referencedUsers(users: User[], records: UserReferences[]): User[] {
  const { userIds, internalIds } = referencedIds(records)
  const byId = new Map(users.map((user) => [user.userId, user]))
  const named = [...userIds].flatMap((userId) => byId.get(userId) ?? [])
  const others = users.filter((user) => internalIds.has(user.userInternalId ?? '') && !userIds.has(user.userId))
  return [...named, ...others]
}

/** The public and the internal ids of all users that the records refer to. */
export function referencedIds(records: UserReferences[]): { userIds: Set<string>; internalIds: Set<string> } {
  const mentions = records.flatMap(({ mentionees }) => mentionees ?? [])
  return {
    userIds: new Set([...records.flatMap(referencedBy), ...mentions.flatMap(publicIdsOf)]),
    // Imported mentions may name people by their internal ids alone.
    internalIds: new Set(
      mentions.flatMap((mention) => (publicIdsOf(mention).length > 0 ? [] : (mention.userInternalIds ?? []))),
    ),
  }
}

function referencedBy(record: UserReferences): string[] {
  const { userId, postedUserId, sharedUserId, creatorId, feedCreatorId, createdBy, deletedBy, pinnedBy, responderId } =
    record
  const participants = record.participants?.map((participant) => participant.userId) ?? []
  const others = [sharedUserId, creatorId, feedCreatorId, createdBy, deletedBy, pinnedBy, responderId]
  return [userId, postedUserId, ...others, ...participants, record.latestReaction?.userId].filter(
    (id) => typeof id === 'string',
  )
}

function publicIdsOf({ userIds = [], userPublicIds = [] }: Mention): string[] {
  return [...userIds, ...userPublicIds]
}
