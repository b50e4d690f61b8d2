-- Lists of users and communities: GET users, GET communities, GET communities/{id}/users.

-- order by created_at, user_id, either way.
create index network_user_newest on network_user (created_at desc, user_id);
-- order by the name people read, whole or within one community.
create index network_user_by_name on network_user (lower(coalesce(display_name, user_id)), user_id);
-- A keyword in a handle or an id, beside network_user_name.
create index network_user_handle on network_user using gin (profile_handle gin_trgm_ops);
create index network_user_id on network_user using gin (user_id gin_trgm_ops);
-- filter=flagged.
create index network_user_flagged on network_user (created_at desc, user_id) where flag_count > 0;

-- The same of communities. Their ids may be too long for an index beside a name: ties go by our own id.
create index community_newest on community (created_at desc, internal_id);
create index community_by_name on community (lower(left(coalesce(display_name, community_id), 80)), internal_id);
create index community_named on community using gin (display_name gin_trgm_ops);
