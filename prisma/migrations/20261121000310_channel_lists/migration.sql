-- Lists of channels (GET channels), in each order; ties by the internal id, whose length is known.
create index channel_by_activity on channel (last_activity desc, internal_id);
create index channel_newest on channel (created_at desc, internal_id);
create index channel_by_name on channel (lower(left(coalesce(display_name, channel_id), 80)), internal_id);
create index channel_name_part on channel using gin (lower(display_name) gin_trgm_ops);

-- Members of a channel by a part of their name (GET /api/v4/channels/{id}/users, search).
create index channel_user_by_name_part on channel_user using gin (channel_id, sort_name gin_trgm_ops);

-- The name a member list is sorted by is cut, so that any member's place fits into a paging token.
create or replace function set_sort_name() returns trigger language plpgsql as $$
begin
  new.sort_name := coalesce((select lower(left(coalesce(u.display_name, u.user_id), 80)) from network_user u where u.user_id = new.user_id), '');
  return new;
end $$;

create or replace function follow_display_name() returns trigger language plpgsql as $$
begin
  update channel_user set sort_name = lower(left(coalesce(new.display_name, new.user_id), 80)) where user_id = new.user_id;
  return null;
end $$;

update channel_user set sort_name = left(sort_name, 80) where length(sort_name) > 80;
