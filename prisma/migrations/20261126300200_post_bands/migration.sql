create index concurrently post_bands on post using gin (text_bands) with (fastupdate = off)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null and text_bands is not null;
