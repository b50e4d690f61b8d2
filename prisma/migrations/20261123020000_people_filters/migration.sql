-- Lists of people by state, newest first. People with flags have network_user_flagged.
create index network_user_banned on network_user (created_at desc, user_id) where is_global_ban;
create index network_user_deleted on network_user (created_at desc, user_id) where is_deleted;
