create index concurrently comment_bands on comment using gin (text_bands) with (fastupdate = off)
  where approval_status = 'pending' and not is_deleted and text_bands is not null;
