create unique index concurrently community_mute_in_force on mute (community_id, user_id) where lifted_at is null and community_id is not null;
