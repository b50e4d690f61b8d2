import { type Floor, floor } from './floor.ts'

/** A channel as the caller sees it, with its counts, its last and its pinned message, the caller in it and their avatar: all by key. */
export function channelFloor(channelId: string, callerId: string): Floor {
  return floor(
    'channel',
    `select c.*, members.total, messages.total, cu.*, u.*, f.*, preview.*, feed.*, pinned.*
     from channel c
     left join tally members on members.kind = 'channel_members' and members.subject_id = c.channel_id
     left join tally messages on messages.kind = 'channel_messages' and messages.subject_id = c.channel_id
     left join channel_user cu on cu.channel_id = c.channel_id and cu.user_id = $2
     left join network_user u on u.user_id = cu.user_id
     left join file f on f.file_id = u.avatar_file_id
     left join message preview on preview.message_id = c.message_preview_id
     left join message_feed feed on feed.message_feed_id = preview.message_feed_id
     left join message pinned on pinned.message_id = c.pinned_message_id
     where c.channel_id = $1`,
    [channelId, callerId],
  )
}
