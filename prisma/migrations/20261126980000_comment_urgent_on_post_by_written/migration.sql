create index concurrently comment_urgent_on_post_by_written on comment using gist
  (reference_id, created_at, urgent_at(queued_at, target_minutes, rule_minutes, signal_minutes, reach_minutes, flag_count))
  where approval_status = 'pending' and not is_deleted and reference_type = 'post';
