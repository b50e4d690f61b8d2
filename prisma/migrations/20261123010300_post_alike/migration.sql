create index concurrently post_alike on post (text_key, queued_at desc, post_id)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null and text_key is not null;
