create index concurrently community_channel_id_idx on community (channel_id);
