import { type Floor, floor } from './floor.ts'

/** A page of the desk's queue, and the row after it: items by review_item_in_community, authors and the community by their keys. */
export function deskQueueFloor(communityId: string, limit: number): Floor {
  const rows = `limit ${limit + 1}`
  return floor(
    `desk-queue-${limit}`,
    `with waiting as (${['comment', 'post']
      .map(
        (type) => `
       (select subject_type, subject_id, version, text, title, data_types, written_at, placed_at, flag_count, is_reply, post_id, author_id
        from review_item
        where kind = 'held' and community_id = $1 and subject_type = '${type}' and state = 'waiting' and escalated_at is null
        order by placed_at desc, subject_id ${rows})`,
      )
      .join(' union all ')})
     select waiting.*, u.display_name, k.community_id, k.display_name
     from waiting join network_user u on u.user_id = waiting.author_id join community k on k.community_id = $1
     order by waiting.placed_at desc, waiting.subject_id ${rows}`,
    [communityId],
  )
}
