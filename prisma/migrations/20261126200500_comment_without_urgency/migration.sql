create index concurrently comment_without_urgency on comment (queued_at desc, comment_id)
  where approval_status = 'pending' and not is_deleted and reach_minutes is null;
