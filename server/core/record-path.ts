import { type Sql, sql } from '#server/core/db.ts'

/**
 * The `path` of records (docs/interface/conventions.md): realtime topics of the public client; the topics of a record's content are nested
 * under it. Paths are derived from internal ids, which never change, when a record is read.
 */

/** The parent of a post or comment; a target without an internal id has no record here. */
export interface PathTarget {
  targetType: 'community' | 'user' | 'content' | null
  targetInternalId: string | null
}

export function userPath(networkId: string, internalId: string): string {
  return `${networkId}/user/${internalId}`
}

export function channelPath(networkId: string, internalId: string): string {
  return `${networkId}/channel/${internalId}`
}

export function messagePath(networkId: string, channelInternalId: string, internalId: string): string {
  return `${channelPath(networkId, channelInternalId)}/message/${internalId}`
}

/** A feed has an id from its source, which may contain topic separators. */
export function messageFeedPath(networkId: string, channelInternalId: string, messageFeedId: string): string {
  return `${channelPath(networkId, channelInternalId)}/messagefeed/${encodeURIComponent(messageFeedId)}`
}

export function communityPath(networkId: string, internalId: string): string {
  return `${networkId}/social/community/${internalId}`
}

export function postPath(networkId: string, target: PathTarget, internalId: string): string {
  return `${targetPath(networkId, target)}/post/${internalId}`
}

/** The parent of a comment: its post, with the parent of that; if the post is unknown, the comment's own target. */
export interface CommentPlace extends PathTarget {
  postInternalId?: string
}

export function commentPath(networkId: string, place: CommentPlace, internalId: string): string {
  const parent =
    place.postInternalId === undefined ? targetPath(networkId, place) : postPath(networkId, place, place.postInternalId)
  return `${parent}/comment/${internalId}`
}

export function roomPath(networkId: string, internalId: string): string {
  return `${networkId}/room/${internalId}`
}

function targetPath(networkId: string, { targetType, targetInternalId }: PathTarget): string {
  if (targetInternalId === null || targetType === null || targetType === 'content') return `${networkId}/social`
  return targetType === 'user' ? userPath(networkId, targetInternalId) : communityPath(networkId, targetInternalId)
}

/** The internal id of the community or user that a post or comment with this alias targets, if any. */
export function targetInternalId(alias: Sql): Sql {
  return sql`
  case ${alias}.target_type
    when 'community' then (select target.internal_id from community target where target.community_id = ${alias}.community_id)
    when 'user' then (select target.internal_id from network_user target where target.user_id = ${alias}.target_id)
  end`
}
