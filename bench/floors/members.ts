import { type Floor, floor } from './floor.ts'

/**
 * A page of a channel's members, newest first, and the row after it, by channel_user_newest; users, avatars and, beside the first member,
 * the channel with its counts, its last and its pinned message by their keys.
 */
export function membersFloor(channelId: string, limit: number): Floor {
  return floor(
    'members',
    `with page as materialized (
       select *, row_number() over (order by created_at desc, user_id) as place from channel_user
       where channel_id = $1 and membership = 'member' and not is_deleted
       order by created_at desc, user_id limit ${limit + 1})
     select page.*, u.*, f.*, c.*, members.total, messages.total, preview.*, feed.*, pinned.*
     from page join network_user u on u.user_id = page.user_id
     left join file f on f.file_id = u.avatar_file_id
     left join channel c on c.channel_id = page.channel_id and page.place = 1
     left join tally members on members.kind = 'channel_members' and members.subject_id = c.channel_id
     left join tally messages on messages.kind = 'channel_messages' and messages.subject_id = c.channel_id
     left join message preview on preview.message_id = c.message_preview_id
     left join message_feed feed on feed.message_feed_id = preview.message_feed_id
     left join message pinned on pinned.message_id = c.pinned_message_id
     order by page.place`,
    [channelId],
  )
}
