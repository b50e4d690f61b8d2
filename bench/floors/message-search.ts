import { type Floor, floor } from './floor.ts'

/** Where a search index has a word: under each of its 21 levels. */
const LEVELS = [...'abcdefghijklmnopqrstu']

/**
 * The newest messages with a rare word, and their number: by message_text, all its levels in one search. Their authors, avatars, feeds,
 * files and channels, with counts, by key.
 */
export function messageSearchFloor(word: string, callerId: string, limit: number): Floor {
  return floor(
    'message-search',
    `with hit as materialized (
       select m.message_id, m.created_at, m.internal_id from message m
       where not m.is_deleted and m.type = 'text'
         and message_tokens(m.created_at, m.channel_id, m.message_feed_id, m.user_id, m.type, m.tags, m.words) @@ (
           select string_agg('(' || replace(search_query($1, false), E'\\n', level) || ')', '|')::tsquery
           from unnest($2::text[]) as level)),
     page as materialized (
       select m.*, row_number() over (order by hit.created_at desc, hit.internal_id) as place
       from (select * from hit order by created_at desc, internal_id limit ${limit + 1}) hit
       join message m on m.message_id = hit.message_id)
     select page.*, (select count(*) from hit) as total, mine.names, u.*, feed.*, f.*, attached.*, c.*, members.total, messages.total
     from page join network_user u on u.user_id = page.user_id
     left join message_feed feed on feed.message_feed_id = page.message_feed_id
     left join file f on f.file_id = u.avatar_file_id
     left join file attached on attached.file_id = page.file_id
     left join lateral (
       select array_agg(r.reaction_name) as names from reaction r
       where r.subject_type = 'message' and r.subject_id = page.message_id and r.user_id = $3 and page.reactions_count > 0) mine on true
     left join channel c on c.channel_id = page.channel_id and page.place = (
       select min(first.place) from page first where first.channel_id = page.channel_id)
     left join tally members on members.kind = 'channel_members' and members.subject_id = c.channel_id
     left join tally messages on messages.kind = 'channel_messages' and messages.subject_id = c.channel_id
     order by page.place`,
    [word, LEVELS, callerId],
  )
}
