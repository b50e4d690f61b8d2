create index concurrently comment_urgent_of_author on comment
  (user_id, urgent_at(queued_at, target_minutes, rule_minutes, signal_minutes, reach_minutes, flag_count), comment_id)
  where approval_status = 'pending' and not is_deleted;
