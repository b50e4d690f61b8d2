-- How common words are among comments: where many match, the queue is walked in its order; where few do, comment_held_text finds them.
create statistics comment_words on (data ->> 'text') from comment;

-- The words of a post, its title among them, as one text. What waits is looked through by them.
create function post_words(data jsonb) returns text language sql immutable parallel safe
  return coalesce(data ->> 'title', '') || E'\n' || coalesce(data ->> 'text', '');
create index post_held_text on post using gin (post_words(data) gin_trgm_ops)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null;
create statistics post_words on (post_words(data)) from post;

-- Pictures and films that wait in one community, each by the post it is attached to or is.
create index post_held_media on post (community_id, (coalesce(parent_post_id, post_id)))
  where feed_type = 'reviewing' and not is_deleted and data_type in ('image', 'video');

create index post_held_flagged on post (community_id, queued_at desc, post_id)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null and flag_count > 0;
