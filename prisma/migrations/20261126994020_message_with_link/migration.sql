create index concurrently message_with_link on message (channel_id, created_at) where may_have_link(data);
