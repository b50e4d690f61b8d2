create index concurrently comment_with_link_anywhere on comment (created_at) where may_have_link(data);
