create index concurrently post_with_link_anywhere on post (created_at) where may_have_link(data) and parent_post_id is null;
