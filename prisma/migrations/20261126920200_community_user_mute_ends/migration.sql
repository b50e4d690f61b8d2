create index concurrently community_user_mute_ends on community_user (mute_timeout) where mute_timeout is not null;
