create index concurrently comment_without_text_key on comment (queued_at desc, comment_id)
  where approval_status = 'pending' and not is_deleted and text_key is null;
