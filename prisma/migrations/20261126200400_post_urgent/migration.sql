create index concurrently post_urgent on post
  (community_id, urgent_at(queued_at, target_minutes, rule_minutes, signal_minutes, reach_minutes, flag_count), post_id)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null;
