import { type Floor, floor } from './floor.ts'

/**
 * A page of the desk's queue, and the row after it: comments by comment_held, posts by post_held, open escalations by escalation_open,
 * authors and the community by their keys.
 */
export function deskQueueFloor(communityId: string, limit: number): Floor {
  const rows = `limit ${limit + 1}`
  return floor(
    `desk-queue-${limit}`,
    `with waiting as (
       (select 'comment' as type, c.comment_id as id, c.version, c.data ->> 'text' as text, null as title, c.data_types, c.created_at,
          c.queued_at, c.flag_count, c.parent_id, c.reference_id, c.user_id
        from comment c
        where c.community_id = $1 and c.approval_status = 'pending' and not c.is_deleted and not exists (
          select from escalation e where e.subject_type = 'comment' and e.subject_id = c.comment_id and e.closed_at is null)
        order by c.queued_at desc, c.comment_id ${rows})
       union all
       (select 'post', p.post_id, p.version, p.data ->> 'text', p.data ->> 'title', array[p.data_type], p.created_at,
          p.queued_at, p.flag_count, null, null, p.posted_user_id
        from post p
        where p.community_id = $1 and p.feed_type = 'reviewing' and not p.is_deleted and p.parent_post_id is null and not exists (
          select from escalation e where e.subject_type = 'post' and e.subject_id = p.post_id and e.closed_at is null)
        order by p.queued_at desc, p.post_id ${rows}))
     select waiting.*, u.display_name, k.community_id, k.display_name
     from waiting join network_user u on u.user_id = waiting.user_id join community k on k.community_id = $1
     order by waiting.queued_at desc, waiting.id ${rows}`,
    [communityId],
  )
}
