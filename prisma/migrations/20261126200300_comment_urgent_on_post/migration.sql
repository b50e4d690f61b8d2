create index concurrently comment_urgent_on_post on comment
  (reference_id, urgent_at(queued_at, target_minutes, rule_minutes, signal_minutes, reach_minutes, flag_count), comment_id)
  where approval_status = 'pending' and not is_deleted and reference_type = 'post';
