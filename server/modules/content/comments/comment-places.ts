import { type Sql, sql } from '#server/core/db.ts'
import type { CommentPlace, PathTarget } from '#server/core/record-path.ts'
import type { StoredComment } from '#server/modules/content/comments/view.ts'

type Target = Pick<StoredComment, 'targetType' | 'communityId' | 'targetId'>

/** The posts that comments are on and the communities that either is in, by their ids. */
export interface GatheredPlaces {
  posts: Record<string, Target & { internalId: string }> | null
  communities: Record<string, { internalId: string; channelId: string | null }> | null
}

/** A common table expression of the posts that the comments in the rows of a table are on, `on_post`. */
export function postsOf(comments: Sql): Sql {
  return sql`
    on_post as materialized (
      select post_id, internal_id, target_type, community_id, target_id from post
      where post_id = any(array(select reference_id from ${comments} where reference_type = 'post')))`
}

/** Everyone whose page the comments or their posts are on. */
export function usersTargeted(comments: Sql): Sql {
  return sql`
    select target_id from ${comments} where target_type = 'user'
    union all select target_id from on_post where target_type = 'user'`
}

/** `GatheredPlaces`, as arguments of json_build_object. */
export function placesOf(comments: Sql): Sql {
  return sql`
    'posts', (select json_object_agg(post_id, json_build_object('internalId', internal_id, 'targetType', target_type,
      'communityId', community_id, 'targetId', target_id)) from on_post),
    'communities', (
      select json_object_agg(community_id, json_build_object('internalId', internal_id, 'channelId', channel_id)) from community
      where community_id = any(array(select community_id from ${comments} union all select community_id from on_post)))`
}

/** Where a comment is: on its post, or directly on its target where that is not known. */
export function placeOf(
  comment: StoredComment,
  { posts, communities }: GatheredPlaces,
  internalIdOfUser: (userId: string) => string | undefined,
): CommentPlace {
  const toPathTarget = ({ targetType, communityId, targetId }: Target): PathTarget => {
    const internalIds = {
      community: communityId === null ? undefined : communities?.[communityId]?.internalId,
      user: targetId === null ? undefined : internalIdOfUser(targetId),
      content: undefined,
    }
    return { targetType, targetInternalId: (targetType && internalIds[targetType]) ?? null }
  }
  const { referenceType, referenceId } = comment
  const post = referenceType === 'post' && referenceId !== null ? posts?.[referenceId] : undefined
  return post ? { postInternalId: post.internalId, ...toPathTarget(post) } : toPathTarget(comment)
}
