import { type Floor, floor } from './floor.ts'

/**
 * A page of endpoint 1: items by review_item_in_community, replies by comment_replies, all else by key, one row for each comment with its author,
 * the author's membership and avatar, its post, the number of its replies and the caller's reactions.
 */
export function reviewQueueFloor(communityId: string, callerId: string, limit: number): Floor {
  return floor(
    `review-queue-${limit}`,
    `with page as materialized (
       select c.* from (
         select subject_id from review_item
         where kind = 'held' and community_id = $1 and subject_type = 'comment' and state = 'waiting'
         order by placed_at desc, subject_id limit ${limit}) i
       join comment c on c.comment_id = i.subject_id),
     shown as (
       select page.*, false as is_child from page
       union all
       select child.*, true from page cross join lateral (
         select * from comment child where child.parent_id = page.comment_id and not child.is_deleted
         order by child.created_at, child.comment_id limit 100) child)
     select shown.*, p.internal_id, children.total, mine.names, u.*, cu.*, k.internal_id, k.channel_id, f.*
     from shown join network_user u on u.user_id = shown.user_id join community k on k.community_id = shown.community_id
     left join community_user cu on cu.community_id = shown.community_id and cu.user_id = shown.user_id
     left join post p on shown.reference_type = 'post' and p.post_id = shown.reference_id
     left join file f on f.file_id = u.avatar_file_id
     left join tally children on children.kind = 'comment_children' and children.subject_id = shown.comment_id
     left join lateral (
       select array_agg(r.reaction_name) as names from reaction r
       where r.subject_type = 'comment' and r.subject_id = shown.comment_id and r.user_id = $2 and shown.reactions_count > 0) mine on true`,
    [communityId, callerId],
  )
}
