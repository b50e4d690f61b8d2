create index concurrently post_without_text_key on post (queued_at desc, post_id)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null and text_key is null;
