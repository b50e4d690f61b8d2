create index concurrently comment_with_link on comment (community_id, created_at) where may_have_link(data);
