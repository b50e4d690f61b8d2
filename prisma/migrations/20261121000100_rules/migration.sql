-- What schema.prisma cannot say: checks, indexes for the lists, search tokens, append-only tables, seeded rows.

create extension if not exists btree_gist; -- written-between in the queue's order, from one index
create extension if not exists btree_gin;  -- members of a channel by role
create extension if not exists pg_trgm;    -- people by a misspelt name

-- ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────

alter table comment
  add constraint comment_target check ((target_type = 'community') is not distinct from (community_id is not null) or target_type is null and community_id is null),
  add constraint comment_held_has_time check (approval_status is null or queued_at is not null);
alter table post
  add constraint post_target check ((target_type = 'community') = (community_id is not null));
alter table ban
  add constraint ban_place check (
    (scope = 'network' and community_id is null and channel_id is null)
    or (scope = 'community' and community_id is not null and channel_id is null)
    or (scope = 'channel' and channel_id is not null and community_id is null));
alter table access_token
  add constraint access_token_holder check (
    (kind = 'user' and user_id is not null and role_id is null) or (kind = 'admin' and role_id is not null and user_id is null));
alter table network_settings
  add constraint network_settings_one_row check (id = 1);

-- ── The review queue (endpoint 1) ───────────────────────────────────────────────────────────────────────────────────
-- Partial over what waits; each serves newest and oldest first alike.

-- where community_id = $1 order by queued_at desc, comment_id; created_at rides along for deep skips within a range.
create index comment_held on comment (community_id, queued_at desc, comment_id) include (created_at)
  where approval_status = 'pending' and not is_deleted;

-- where community_id = $1 and created_at between $2 and $3, in the order of queued_at: the tree is grouped by created_at and
-- each of its pages knows its latest and earliest queued_at, so the next row of any range is found best-first.
create index comment_held_by_written on comment using gist (community_id, created_at, queued_at)
  where approval_status = 'pending' and not is_deleted;

-- The same two for one post.
create index comment_held_on_post on comment (reference_id, queued_at desc, comment_id) include (created_at)
  where approval_status = 'pending' and not is_deleted and reference_type = 'post';
create index comment_held_on_post_by_written on comment using gist (reference_id, created_at, queued_at)
  where approval_status = 'pending' and not is_deleted and reference_type = 'post';

-- Other held comments of one author.
create index comment_held_of_author on comment (user_id, queued_at desc, comment_id)
  where approval_status = 'pending' and not is_deleted;

-- Replies to a comment, oldest first.
create index comment_replies on comment (parent_id, created_at, comment_id) where parent_id is not null;

-- Comments on a post or story, newest first; comments of one author.
create index comment_on_reference on comment (reference_id, created_at desc, comment_id);
create index comment_of_author on comment (user_id, created_at desc, comment_id);

-- Posts waiting for review, and the published ones of a community.
create index post_held on post (community_id, queued_at desc, post_id) where feed_type = 'reviewing' and not is_deleted;
create index post_in_community on post (community_id, created_at desc, post_id);
create index post_of_author on post (posted_user_id, created_at desc, post_id);

-- ── Members of communities and channels (endpoint 6) ────────────────────────────────────────────────────────────────

create index community_user_newest on community_user (community_id, created_at desc, user_id);
create index community_user_roles on community_user using gin (community_id, roles);
create index channel_user_newest on channel_user (channel_id, created_at desc, user_id);
create index channel_user_by_name on channel_user (channel_id, sort_name, user_id);
create index channel_user_roles on channel_user using gin (channel_id, roles);
create index channel_user_banned on channel_user (channel_id, created_at desc, user_id) where membership = 'banned';
create index channel_user_muted on channel_user (channel_id, created_at desc, user_id) where mute_timeout is not null;

-- The name a member list is sorted by follows the user's.
create function set_sort_name() returns trigger language plpgsql as $$
begin
  new.sort_name := coalesce((select lower(coalesce(u.display_name, u.user_id)) from network_user u where u.user_id = new.user_id), '');
  return new;
end $$;
create trigger channel_user_sort_name before insert on channel_user for each row execute function set_sort_name();

create function follow_display_name() returns trigger language plpgsql as $$
begin
  update channel_user set sort_name = lower(coalesce(new.display_name, new.user_id)) where user_id = new.user_id;
  return null;
end $$;
create trigger network_user_sort_name after update of display_name on network_user
  for each row when (old.display_name is distinct from new.display_name) execute function follow_display_name();

create index network_user_name on network_user using gin (display_name gin_trgm_ops);
create index network_user_roles on network_user using gin (roles);

-- ── Search (endpoints 5 and 8) ──────────────────────────────────────────────────────────────────────────────────────

-- Words ('=word') and every two neighbouring characters of a word, lower case: whole words, prefixes, parts and scripts
-- without spaces are all found through one array.
create function search_tokens(text text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct token), '{}')
  from regexp_split_to_table(lower(normalize($1, NFKC)), '[^[:alnum:]]+') as word
  cross join lateral (
    select '=' || left(word, 64) as token
    union all
    select substr(word, position, 2) from generate_series(1, greatest(least(length(word), 512) - 1, 1)) as position
  ) as tokens
  where word <> ''
$$;

create index message_text on message using gin (search_tokens(data ->> 'text')) where not is_deleted;
create index message_in_channel on message (channel_id, created_at desc, message_id);
create index message_newest on message (created_at desc, message_id);
create index message_of_author on message (user_id, created_at desc, message_id);
create index channel_name on channel using gin (search_tokens(display_name)) where not is_deleted;
create index channel_active on channel (last_activity desc, channel_id) where not is_deleted;

-- ── Sealing (server/worker/sealer.ts) ───────────────────────────────────────────────────────────────────────────────

create index event_unsealed on event (event_id) where seq is null;
create index event_held on event (releases_at, event_id) where state = 'held';

-- Rows of audit that have no seal yet; filled by a trigger, so that no writer can forget it.
create table audit_unsealed (audit_id bigint primary key);

create function await_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed values (new.audit_id);
  return null;
end $$;
create trigger audit_await_seal after insert on audit for each row execute function await_seal();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_append_only before update or delete on audit for each row execute function refuse_change();
create trigger audit_no_truncate before truncate on audit for each statement execute function refuse_change();
create trigger audit_seal_append_only before update or delete on audit_seal for each row execute function refuse_change();
create trigger audit_seal_no_truncate before truncate on audit_seal for each statement execute function refuse_change();

-- What a seal is made over: every column of the row, in a form that does not depend on the session.
create function audit_content(a audit) returns text language sql immutable as $$
  select jsonb_build_array(
    a.audit_id, (extract(epoch from a.at) * 1000)::bigint, a.actor_kind, a.actor_id, a.door, a.action, a.subject_type, a.subject_id,
    a.community_id, a.channel_id, a.before, a.after, encode(a.text_digest, 'hex'), a.request_id)::text
$$;

-- ── Bans in force ───────────────────────────────────────────────────────────────────────────────────────────────────

create unique index ban_in_force on ban (user_id, scope, coalesce(community_id, channel_id, '')) where lifted_at is null;
create index ban_ends on ban (ends_at) where lifted_at is null and ends_at is not null;

-- ── Permissions of roles ────────────────────────────────────────────────────────────────────────────────────────────

-- What these roles grant together, sorted.
create function role_permissions(role_ids text[]) returns text[] language sql stable parallel safe as $$
  select case when role_ids = '{}' then '{}'::text[] else (
    select coalesce(array_agg(distinct permission order by permission), '{}')
    from role, unnest(role.permissions) as permission
    where role.role_id = any(role_ids) and not role.is_deleted)
  end
$$;

insert into network_settings (id) values (1);

insert into role (role_id, display_name, rank, scope, permissions) values
  ('channel-moderator', 'Channel moderator', 100, 'channel', array[
    'MUTE_CHANNEL', 'CLOSE_CHANNEL', 'EDIT_CHANNEL', 'EDIT_CHANNEL_RATELIMIT', 'EDIT_MESSAGE', 'DELETE_MESSAGE', 'BAN_USER_FROM_CHANNEL',
    'MUTE_USER_INSIDE_CHANNEL', 'ADD_CHANNEL_USER', 'REMOVE_CHANNEL_USER', 'EDIT_CHANNEL_USER', 'ASSIGN_CHANNEL_USER_ROLE']),
  ('community-moderator', 'Community moderator', 200, 'community', array[
    'ADD_COMMUNITY_USER', 'REMOVE_COMMUNITY_USER', 'EDIT_COMMUNITY_USER', 'BAN_COMMUNITY_USER', 'MUTE_COMMUNITY_USER', 'EDIT_COMMUNITY',
    'DELETE_COMMUNITY', 'EDIT_COMMUNITY_POST', 'DELETE_COMMUNITY_POST', 'PIN_COMMUNITY_POST', 'EDIT_COMMUNITY_COMMENT',
    'DELETE_COMMUNITY_COMMENT', 'ASSIGN_COMMUNITY_USER_ROLE', 'MANAGE_COMMUNITY_STORY', 'REVIEW_COMMUNITY_COMMENT', 'REVIEW_COMMUNITY_POST']),
  ('support', 'Support', 400, 'network', array['VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY']),
  ('moderator', 'Moderator', 600, 'network', array['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY']),
  ('super-moderator', 'Super moderator', 800, 'network', array[
    'MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY', 'EDIT_USER', 'ASSIGN_USER_ROLE', 'CREATE_ROLE',
    'EDIT_ROLE', 'DELETE_ROLE', 'MANAGE_NETWORK_SETTINGS']),
  ('global-admin', 'Global admin', 1000, 'network', array[
    'MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY', 'EDIT_USER', 'ASSIGN_USER_ROLE', 'CREATE_ROLE',
    'EDIT_ROLE', 'DELETE_ROLE', 'MANAGE_NETWORK_SETTINGS', 'EDIT_USER_FEED_POST', 'DELETE_USER_FEED_POST', 'EDIT_USER_FEED_COMMENT',
    'DELETE_USER_FEED_COMMENT', 'CREATE_COMMUNITY_CATEGORY', 'EDIT_COMMUNITY_CATEGORY', 'DELETE_COMMUNITY_CATEGORY', 'READ_CONVERSATIONS',
    'MANAGE_STAFF', 'MANAGE_CREDENTIALS']);

-- moderator and up hold every community and channel permission everywhere.
update role set permissions = (
  select array_agg(distinct permission order by permission)
  from (select unnest(role.permissions) union all
        select unnest(r.permissions) from role r where r.role_id in ('channel-moderator', 'community-moderator')) as held(permission))
where role_id in ('moderator', 'super-moderator', 'global-admin');
