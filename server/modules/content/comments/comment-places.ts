import { type Sql, sql } from '#server/core/db.ts'
import type { CommentPlace } from '#server/core/record-path.ts'
import type { StoredComment } from '#server/modules/content/comments/view.ts'

type Target = Pick<StoredComment, 'targetType' | 'communityId' | 'targetId'>

/** What `POST_COLUMNS` selects. */
export type CommentedPost = Target & { internalId: string }

/** The communities that comments or their posts are in, by their ids. */
export interface GatheredPlaces {
  communities: Record<string, { internalId: string; channelId: string | null }> | null
}

/** A common table expression of the posts with the ids in a row of another table, `on_post`. */
export function postsOf(table: Sql, postIds: Sql): Sql {
  return sql`
    on_post as materialized (
      select p.post_id, p.internal_id, p.target_type, p.community_id, p.target_id from ${table} join post p on p.post_id = any(${postIds}))`
}

/** Columns of the post that a comment is on, selected from `on_post`. */
export const POST_COLUMNS = sql`on_post.internal_id, on_post.target_type, on_post.community_id, on_post.target_id`

/** Everyone whose page the posts are on. */
export const USERS_TARGETED = sql`select target_id from on_post where target_type = 'user'`

/** `GatheredPlaces` of an array of communities and of those of `on_post`, as arguments of json_build_object. */
export function placesOf(communityIds: Sql): Sql {
  return sql`
    'communities', (
      select json_object_agg(community_id, json_build_object('internalId', internal_id, 'channelId', channel_id)) from community
      where community_id = any(${communityIds} || array(select community_id from on_post)))`
}

/** Where a comment is: on its post, or directly on its target where that is not known. */
export function placeOf(
  comment: Target & { post: CommentedPost | null },
  { communities }: GatheredPlaces,
  internalIdOfUser: (userId: string) => string | undefined,
): CommentPlace {
  const { targetType, communityId, targetId } = comment.post ?? comment
  const internalIds = {
    community: communityId === null ? undefined : communities?.[communityId]?.internalId,
    user: targetId === null ? undefined : internalIdOfUser(targetId),
    content: undefined,
  }
  return {
    ...(comment.post && { postInternalId: comment.post.internalId }),
    targetType,
    targetInternalId: (targetType && internalIds[targetType]) ?? null,
  }
}
