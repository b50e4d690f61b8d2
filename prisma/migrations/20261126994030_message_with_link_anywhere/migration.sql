create index concurrently message_with_link_anywhere on message (created_at) where may_have_link(data);
