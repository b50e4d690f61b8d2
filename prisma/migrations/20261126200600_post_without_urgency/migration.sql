create index concurrently post_without_urgency on post (queued_at desc, post_id)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null and reach_minutes is null;
