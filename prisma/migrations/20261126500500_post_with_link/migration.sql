create index concurrently post_with_link on post (community_id, created_at) where may_have_link(data) and parent_post_id is null;
