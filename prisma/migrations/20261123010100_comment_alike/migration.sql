create index concurrently comment_alike on comment (text_key, queued_at desc, comment_id)
  where approval_status = 'pending' and not is_deleted and text_key is not null;
