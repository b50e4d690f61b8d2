import { type Floor, floor } from './floor.ts'

/**
 * Bans one member from a channel if they aren't banned: changes, counts and records it, with its audit row and its event, and reads the
 * answer. Everything is found by key. The signature of the audit row is one in size alone.
 */
export function banFloor(channelId: string, callerId: string, userId: string): Floor {
  return floor(
    'ban',
    `with banned as (
       update channel_user set membership = 'banned', roles = '{}', updated_at = now()
       where channel_id = $1 and user_id = $2 and membership <> 'banned' returning *),
     recorded as (
       insert into ban (scope, channel_id, user_id, banned_by) select 'channel', channel_id, user_id, $3 from banned),
     counted as (
       insert into tally_delta (kind, subject_id, delta) select 'channel_members', channel_id, -1 from banned),
     audited as (
       insert into audit (at, actor_kind, actor_id, source, action, subject_type, subject_id, channel_id, before, after, request_id,
         nonce, mac)
       select now(), 'user', $3, 'rest', 'channelUser.banned', 'user', user_id, channel_id, '{"membership":"member"}',
         '{"membership":"banned"}', 'bench', uuid_send(uuidv7()), sha256('bench') from banned),
     published as (
       insert into event (name, is_desk_only, subject_type, subject_id, payload, state, created_at, releases_at)
       select 'channel.didBan', false, 'channel', channel_id, jsonb_build_object('userIds', array[user_id]), 'released', now(), now()
       from banned)
     select c.*, members.total, messages.total, banned.*, u.*, f.*, preview.*, feed.*, pinned.*
     from channel c join network_user u on u.user_id = $2
     left join banned on true
     left join file f on f.file_id = u.avatar_file_id
     left join tally members on members.kind = 'channel_members' and members.subject_id = c.channel_id
     left join tally messages on messages.kind = 'channel_messages' and messages.subject_id = c.channel_id
     left join message preview on preview.message_id = c.message_preview_id
     left join message_feed feed on feed.message_feed_id = preview.message_feed_id
     left join message pinned on pinned.message_id = c.pinned_message_id
     where c.channel_id = $1`,
    [channelId, userId, callerId],
  )
}
