create index concurrently community_user_muted on community_user (community_id, created_at desc, user_id) where mute_timeout is not null;
