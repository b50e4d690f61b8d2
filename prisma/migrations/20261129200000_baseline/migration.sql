-- The schema of Docket: tables in the order of schema.prisma, with their keys, checks and plain indexes, then what schema.prisma can't express, by
-- subject; prisma/catalogue.txt lists that part. Until the first release this file is edited in place.

-- ── Extensions ───────────────────────────────────────────────────────────────────────────────────────────────────────

create extension if not exists btree_gist; -- The queue filtered by written time and sorted by held time, from one index.
create extension if not exists btree_gin;  -- Members of a channel by role and by name.
create extension if not exists pg_trgm;    -- Names and text by any part of them.

-- ── Functions that column definitions use ────────────────────────────────────────────────────────────────────────────

-- Internal ids (`_id`): 24 random hexadecimal digits.
create function new_internal_id() returns text language sql volatile as
  $$ select left(replace(gen_random_uuid()::text, '-', ''), 24) $$;

-- All control characters that a text can have: 64.
create function control_characters() returns text language sql immutable parallel safe
  return E'\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f'
    || E'\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f';

-- A text without control characters, with one space for several, and none at its ends.
create function single_spaced(text text) returns text language sql immutable parallel safe
  return btrim(replace(replace(replace(text, ' ', E' \x01'), E'\x01 ', ''), E'\x01', ''));

-- A class for bracket expressions: what is written without being seen, or without being another letter (as INVISIBLE in server/core/folding).
create function invisible_characters() returns text language sql immutable parallel safe
  return '\u00AD\u0600-\u0605\u061C\u0640\u06DD\u070F\u0890\u0891\u08E2\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\uFFF9-\uFFFB\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U0001F3FB-\U0001F3FF\U000E0000-\U000E01EF';

-- A text as people search for it: without case, accents, vowel points, invisible characters and colours of skin, in one width, with one
-- kind of apostrophe, and one space for any. As server/core/folding reads it for rules, and without accents beside that.
create function folded_text(text text) returns text language sql immutable parallel safe cost 100
return single_spaced(case
  when octet_length(text) = length(text)
    then translate(lower(text collate "C"), control_characters() || '`', repeat(' ', 64) || '''')
  else
    replace(translate(
      lower(normalize(regexp_replace(normalize(replace(text, '´', ''''), NFKD),
        '[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED' || invisible_characters() || ']',
        '', 'g'), NFC)),
      'ςıᲀᲁᲂᲃᲄᲅᲆᲇᲈ‘’ʼ`' || E'\u1680\u2028\u2029' || control_characters(), 'σiвдосттъѣꙋ''''''''' || repeat(' ', 67)),
      'ß', 'ss')
  end);

-- What a handle is beside all others: without case and invisible characters, in one width.
create function handle_key(handle text) returns text language sql immutable parallel safe cost 100
  return left(single_spaced(lower(normalize(regexp_replace(normalize(handle, NFKC), '[' || invisible_characters() || ']', '', 'g'), NFC))), 600);

-- What is worth four hours or more comes before all that only waits: the newest day (UTC) first, of a day the most severe first, of equals the
-- longest held first (docs/decisions/0283-severe-and-fresh-first.md). It is sorted by times before 1999, in whole milliseconds, which keep that
-- order; the rest by its sum as a time (UTC), so that the order stays right while time passes. The earlier, the more urgent.
create function urgent_at(queued_at timestamptz, target_minutes smallint, rule_minutes smallint, signal_minutes smallint,
  reach_minutes smallint, flag_count integer) returns timestamp language sql immutable parallel safe
  return case when coalesce(rule_minutes, 0) + coalesce(signal_minutes, 0) + coalesce(reach_minutes, 0) + 60 * least(flag_count, 8) >= 240
    then timestamp '1999-01-01' - (date_trunc('day', queued_at at time zone 'UTC') - timestamp '1970-01-01')
      + interval '40 seconds' * (1920 - coalesce(rule_minutes, 0) - coalesce(signal_minutes, 0) - coalesce(reach_minutes, 0)
        - 60 * least(flag_count, 8))
      + date_trunc('milliseconds', ((queued_at at time zone 'UTC') - date_trunc('day', queued_at at time zone 'UTC')) / 2160)
    else (queued_at at time zone 'UTC') + make_interval(mins => coalesce(target_minutes, 240) - coalesce(rule_minutes, 0)
      - coalesce(signal_minutes, 0) - coalesce(reach_minutes, 0) - 60 * least(flag_count, 8)) end;

-- An item's title and text as one text, as it is searched.
create function item_words(title text, text text) returns text language sql immutable parallel safe cost 100
  return folded_text(coalesce(title || E'\n', '') || coalesce(text, ''));

-- This and the next one are classes for bracket expressions. The characters of words: letters and digits, and the marks of Latin,
-- Hebrew, Arabic and Indic scripts.
create function word_characters() returns text language sql immutable parallel safe
  return '[:alnum:]\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED\u0900-\u0963\u0966-\u0DFF';

-- Scripts that put no spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han and Hangul. Korean has spaces, but not between a word
-- and its particles.
create function unspaced_characters() returns text language sql immutable parallel safe
  return '\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\U00020000-\U0003FFFF';

-- A text as it is searched: every word, symbol and run of an unspaced script between single spaces. So ' the' begins a word, ' the ' is
-- a word, and ' of the ' is two words with only white space between them.
create function search_words(text text) returns text language sql immutable parallel safe cost 100
  return regexp_replace(
    regexp_replace(' ' || folded_text(text) || ' ',
      '[' || unspaced_characters() || ']+|[^' || word_characters() || unspaced_characters() || ' ]', ' \& ', 'g'),
    '\s{2,}|[^\S ]', ' ', 'g');

-- ── Tables ───────────────────────────────────────────────────────────────────────────────────────────────────────────

create type role_scope as enum ('network', 'community', 'channel');
create type ban_scope as enum ('network', 'community', 'channel');
create type sanction_kind as enum ('ban', 'mute');
create type author_treatment_kind as enum ('trust', 'hold');
create type notification_mode as enum ('default', 'silent', 'subscribe');
create type community_type as enum ('default', 'event');
create type membership as enum ('none', 'member', 'banned');
create type join_request_status as enum ('pending', 'approved', 'rejected', 'cancelled');
create type feed_type as enum ('reviewing', 'published', 'declined');
create type target_type as enum ('community', 'user', 'content');
create type reference_type as enum ('post', 'content', 'story');
create type approval_status as enum ('pending', 'approved', 'rejected');
create type channel_type as enum ('community', 'conversation', 'live', 'broadcast');
create type file_type as enum ('image', 'file', 'video', 'clip', 'audio');
create type file_access_type as enum ('public', 'network');
create type stream_status as enum ('idle', 'live', 'ended', 'recorded');
create type room_status as enum ('idle', 'live', 'waiting_reconnect', 'ended', 'recorded', 'terminated');
create type list_kind as enum ('allow', 'block');
create type list_category as enum ('content', 'user');
create type token_kind as enum ('user', 'admin');
create type subject_type as enum ('comment', 'post', 'message', 'user');
create type source as enum ('desk', 'rest', 'cli');
create type rule_state as enum ('draft', 'shadow', 'live', 'paused');
create type bulk_item_state as enum ('waiting', 'done', 'refused', 'undone');
create type audit_walk as enum ('latest', 'full');
create type event_state as enum ('held', 'released', 'cancelled');
create type delivery_state as enum ('waiting', 'delivered', 'failed', 'skipped');
create type try_problem as enum (
  'status', 'redirect', 'timeout', 'address', 'name', 'connection', 'certificate', 'cut', 'interrupted', 'secret'
);
create type tally_kind as enum (
  'held_comments', 'community_members', 'community_moderators', 'community_posts', 'channel_members',
  'channel_messages', 'feed_posts', 'comment_children', 'post_comments', 'held_posts', 'reported_comments',
  'reported_posts', 'reported_messages', 'reported_people'
);

create table role (
  role_id text primary key,
  display_name text,
  rank integer not null default 0,
  scope role_scope not null,
  permissions text[] not null default '{}',
  is_deleted boolean not null default false,
  updated_by text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);

create table network_user (
  user_id text primary key,
  internal_id text not null default new_internal_id(),
  display_name text,
  profile_handle text,
  description text,
  avatar_file_id text,
  avatar_custom_url text,
  roles text[] not null default '{}',
  metadata jsonb,
  flag_count integer not null default 0,
  hash_flag jsonb,
  is_global_ban boolean not null default false,
  is_brand boolean not null default false,
  is_deleted boolean not null default false,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create unique index network_user_internal_id_key on network_user (internal_id);

create table erasure (
  user_id text primary key references network_user on delete cascade,
  requested_by text not null,
  requested_at timestamptz(3) not null,
  worked_at timestamptz(3) not null,
  events_read bigint not null default 0,
  finished_at timestamptz(3)
);

create table ban (
  ban_id bigserial primary key,
  scope ban_scope not null,
  community_id text,
  channel_id text,
  user_id text not null,
  banned_by text,
  reason text,
  created_at timestamptz(3) not null default current_timestamp,
  ends_at timestamptz(3),
  lifted_at timestamptz(3),
  lifted_by text,
  policy_id text,
  constraint ban_place check (
    (scope = 'network' and community_id is null and channel_id is null)
    or (scope = 'community' and community_id is not null and channel_id is null)
    or (scope = 'channel' and channel_id is not null and community_id is null))
);
create index ban_user_id_created_at_idx on ban (user_id, created_at desc);

create table mute (
  mute_id bigserial primary key,
  channel_id text,
  user_id text not null,
  muted_by text,
  reason text,
  created_at timestamptz(3) not null default current_timestamp,
  ends_at timestamptz(3) not null,
  lifted_at timestamptz(3),
  lifted_by text,
  community_id text,
  rule_version integer,
  subject_type subject_type,
  subject_id text,
  policy_id text,
  constraint mute_has_one_space check (num_nonnulls(community_id, channel_id) = 1)
);
create index mute_user_id_created_at_idx on mute (user_id, created_at desc);

create table author_treatment (
  treatment_id bigserial primary key,
  user_id text not null,
  community_id text,
  kind author_treatment_kind not null,
  reason text,
  set_by text not null,
  created_at timestamptz(3) not null,
  ends_at timestamptz(3),
  ended_at timestamptz(3),
  ended_by text
);
create index author_treatment_user_id_created_at_idx on author_treatment (user_id, created_at desc);

create table author_treatment_hold (
  subject_type subject_type not null,
  subject_id text not null,
  treatment_id bigint not null references author_treatment on delete cascade,
  primary key (subject_type, subject_id)
);
create index author_treatment_hold_treatment_id_idx on author_treatment_hold (treatment_id);

create table community (
  community_id text primary key,
  internal_id text not null default new_internal_id(),
  channel_id text,
  display_name text,
  user_id text,
  avatar_file_id text,
  description text,
  is_official boolean not null default false,
  is_public boolean not null default true,
  only_admin_can_post boolean not null default false,
  has_flagged_comment boolean not null default false,
  has_flagged_post boolean not null default false,
  need_approval_on_post_creation boolean not null default false,
  need_approval_on_comment_creation boolean not null default false,
  allow_comment_in_story boolean not null default false,
  is_discoverable boolean not null default false,
  requires_join_approval boolean not null default false,
  is_deleted boolean not null default false,
  tags text[] not null default '{}',
  category_ids text[] not null default '{}',
  metadata jsonb,
  notification_mode notification_mode not null default 'default',
  type community_type not null default 'default',
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  claim_minutes integer
);
create unique index community_internal_id_key on community (internal_id);

create table community_user (
  community_id text not null references community on delete cascade,
  user_id text not null references network_user on delete cascade,
  membership membership not null default 'none',
  not_member_reason text,
  roles text[] not null default '{}',
  last_activity timestamptz(3),
  last_join timestamptz(3),
  is_deleted boolean not null default false,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  mute_timeout timestamptz(3),
  primary key (community_id, user_id)
);
create index community_user_user_id_idx on community_user (user_id);

create table join_request (
  join_request_id text primary key default new_internal_id(),
  community_id text not null references community on delete cascade,
  user_id text not null references network_user on delete cascade,
  status join_request_status not null default 'pending',
  responded_at timestamptz(3),
  responder_id text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create index join_request_user_id_community_id_created_at_idx on join_request (user_id, community_id, created_at desc);

create table category (
  category_id text primary key,
  name text,
  avatar_file_id text,
  metadata jsonb,
  is_deleted boolean not null default false,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);

create table feed (
  feed_id text primary key,
  target_id text,
  target_type text,
  feed_type feed_type not null default 'published',
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create index feed_target_id_idx on feed (target_id);

create table post (
  post_id text primary key,
  internal_id text not null default new_internal_id(),
  parent_post_id text,
  posted_user_id text not null references network_user on delete restrict,
  shared_user_id text,
  target_type target_type not null default 'community',
  community_id text references community on delete restrict,
  target_id text,
  feed_id text,
  feed_type feed_type not null default 'published',
  queued_at timestamptz(3),
  version integer not null default 1,
  data jsonb not null default '{}',
  data_type text,
  structure_type text,
  metadata jsonb,
  shared_count integer not null default 0,
  children_number integer not null default 0,
  impression integer not null default 0,
  reach integer not null default 0,
  reactions jsonb not null default '{}',
  reactions_count integer not null default 0,
  flag_count integer not null default 0,
  hash_flag jsonb,
  tags text[] not null default '{}',
  hashtags text[] not null default '{}',
  mentionees jsonb,
  has_flagged_comment boolean not null default false,
  has_flagged_children boolean not null default false,
  is_deleted boolean not null default false,
  edited_at timestamptz(3),
  edited_by text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  link_keys bigint[],
  withdrawn_at timestamptz(3),
  constraint post_target check ((target_type = 'community') = (community_id is not null))
);
create index post_parent_post_id_idx on post (parent_post_id);

create table comment (
  comment_id text primary key,
  internal_id text not null default new_internal_id(),
  target_type target_type,
  community_id text references community on delete restrict,
  target_id text,
  reference_type reference_type,
  reference_id text,
  user_id text not null references network_user on delete restrict,
  parent_id text,
  root_id text,
  data_types text[] not null default '{}',
  data jsonb,
  metadata jsonb,
  segment_number integer,
  flag_count integer not null default 0,
  hash_flag jsonb,
  reactions jsonb not null default '{}',
  reactions_count integer not null default 0,
  mentionees jsonb,
  attachments jsonb,
  is_deleted boolean not null default false,
  approval_status approval_status,
  queued_at timestamptz(3),
  version integer not null default 1,
  edited_at timestamptz(3),
  edited_by text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  link_keys bigint[],
  withdrawn_at timestamptz(3),
  constraint comment_pending_has_time check (approval_status <> 'pending' or queued_at is not null),
  constraint comment_target check ((target_type = 'community') is not distinct from (community_id is not null) or target_type is null and community_id is null)
);

create table reaction (
  subject_type subject_type not null,
  subject_id text not null,
  user_id text not null,
  reaction_name text not null,
  reaction_id text not null default new_internal_id(),
  created_at timestamptz(3) not null default current_timestamp,
  primary key (subject_type, subject_id, user_id, reaction_name)
);
create unique index reaction_reaction_id_key on reaction (reaction_id);

create table flag (
  subject_type subject_type not null,
  subject_id text not null,
  user_id text not null,
  reason text not null default 'Others',
  detail text,
  created_at timestamptz(3) not null default current_timestamp,
  cleared_at timestamptz(3),
  rule_version integer,
  primary key (subject_type, subject_id, user_id)
);

create table signal (
  subject_type subject_type not null,
  subject_id text not null,
  name text not null,
  score double precision not null,
  model_version text,
  measured_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  sent_by text,
  is_judged boolean not null default true,
  primary key (subject_type, subject_id, name)
);

create table channel (
  channel_id text primary key,
  internal_id text not null default new_internal_id(),
  type channel_type not null default 'community',
  display_name text,
  avatar_file_id text,
  is_public boolean not null default true,
  is_distinct boolean not null default false,
  is_rate_limited boolean not null default false,
  rate_limit integer,
  rate_limit_window integer,
  rate_limit_timeout timestamptz(3),
  mute_timeout timestamptz(3),
  message_auto_delete_enabled boolean not null default false,
  auto_delete_message_by_flag_limit integer,
  notification_mode notification_mode not null default 'default',
  tags text[] not null default '{}',
  metadata jsonb,
  message_preview_id text,
  attached_post_id text,
  attached_video_stream_id text,
  attached_room_id text,
  pinned_message_id text,
  pinned_by text,
  pinned_at timestamptz(3),
  is_deleted boolean not null default false,
  last_activity timestamptz(3) not null default current_timestamp,
  last_message_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create unique index channel_internal_id_key on channel (internal_id);

create table channel_user (
  channel_id text not null references channel on delete cascade,
  user_id text not null references network_user on delete cascade,
  membership membership not null default 'none',
  roles text[] not null default '{}',
  sort_name text not null default '',
  mute_timeout timestamptz(3),
  read_to_segment integer not null default 0,
  last_mentioned_segment integer not null default 0,
  is_deleted boolean not null default false,
  last_activity timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  primary key (channel_id, user_id)
);
create index channel_user_user_id_idx on channel_user (user_id);

create table message_feed (
  message_feed_id text primary key,
  channel_id text not null references channel on delete cascade,
  name text,
  creator_id text,
  last_message_id text,
  message_preview_id text,
  child_count integer not null default 0,
  is_deleted boolean not null default false,
  last_message_timestamp timestamptz(3),
  edited_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create index message_feed_channel_id_idx on message_feed (channel_id);

create table message (
  message_id text primary key,
  internal_id text not null default new_internal_id(),
  channel_id text not null references channel on delete restrict,
  message_feed_id text,
  user_id text not null references network_user on delete restrict,
  parent_id text,
  file_id text,
  type text not null default 'text',
  data jsonb,
  channel_segment integer,
  tags text[] not null default '{}',
  metadata jsonb,
  flag_count integer not null default 0,
  hash_flag jsonb,
  children_number integer not null default 0,
  reactions jsonb not null default '{}',
  reactions_count integer not null default 0,
  latest_reaction jsonb,
  mentionees jsonb,
  is_deleted boolean not null default false,
  edited_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  words text generated always as (search_words((data ->> 'text'))) stored,
  link_keys bigint[],
  withdrawn_at timestamptz(3)
);

create table message_numbering (
  channel_id text primary key references channel on delete cascade,
  from_at timestamptz(3) not null,
  from_id text,
  upto_at timestamptz(3) not null,
  added_at timestamptz(3) not null default current_timestamp
);

-- Imported items, waiting for review, which rules haven't judged yet (docs/decisions/0255-rules-and-imports.md). The worker judges them and deletes
-- the row.
create table unjudged_import (
  subject_type subject_type not null,
  subject_id text not null,
  community_id text not null,
  added_at timestamptz(3) not null default current_timestamp,
  primary key (subject_type, subject_id)
);

create table file (
  file_id text primary key,
  file_url text,
  type file_type not null default 'file',
  access_type file_access_type not null default 'public',
  alt_text text,
  attributes jsonb,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);

create table stream (
  stream_id text primary key,
  user_id text,
  thumbnail_file_id text,
  title text,
  description text,
  status stream_status not null default 'idle',
  moderation_id text,
  resolution text,
  post_id text,
  channel_id text,
  parent_stream_id text,
  child_stream_ids text[] not null default '{}',
  is_live boolean not null default false,
  is_parent boolean not null default false,
  is_deleted boolean not null default false,
  channel_enabled boolean not null default false,
  platform jsonb,
  streamer_url jsonb,
  watcher_url jsonb,
  recordings jsonb,
  metadata jsonb,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create index stream_post_id_idx on stream (post_id);

create table room (
  room_id text primary key,
  internal_id text not null default new_internal_id(),
  type text,
  target_type text,
  target_id text,
  reference_type text,
  reference_id text,
  live_channel_id text,
  live_chat_enabled boolean not null default false,
  title text,
  description text,
  thumbnail_file_id text,
  status room_status not null default 'idle',
  live_playback_url text,
  live_thumbnail_url text,
  parent_room_id text,
  child_room_ids text[] not null default '{}',
  created_by text,
  deleted_by text,
  participants jsonb,
  recorded_playback_infos jsonb,
  duration_seconds integer,
  moderation jsonb,
  metadata jsonb,
  is_deleted boolean not null default false,
  live_at timestamptz(3),
  ended_at timestamptz(3),
  recorded_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create index room_reference_id_idx on room (reference_id);

create table network_settings (
  id integer primary key default 1,
  is_whitelist_enabled boolean not null default false,
  is_report_enabled boolean not null default false,
  is_allow_edit_comment_when_reviewing_enabled boolean not null default true,
  updated_at timestamptz(3) not null default current_timestamp,
  updated_by text,
  constraint network_settings_one_row check (id = 1)
);

create table list_rule (
  rule_id text primary key default new_internal_id(),
  list list_kind not null,
  category list_category not null default 'content',
  pattern text not null,
  matcher text not null,
  is_match_exact_word boolean not null default false,
  created_by text,
  created_at timestamptz(3) not null default current_timestamp
);
create unique index list_rule_list_category_pattern_key on list_rule (list, category, pattern);

create table access_token (
  token_id text primary key default new_internal_id(),
  digest bytea not null,
  kind token_kind not null,
  name text,
  user_id text references network_user on delete cascade,
  role_id text,
  created_by text,
  key_id text,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint access_token_holder check (
    (kind = 'user' and user_id is not null and role_id is null) or (kind = 'admin' and role_id is not null and user_id is null))
);
create index access_token_user_id_idx on access_token (user_id);
create unique index access_token_digest_key on access_token (digest);

create table api_key (
  key_id text primary key default new_internal_id(),
  digest bytea not null,
  name text not null,
  allows text[] not null default '{}',
  created_by text,
  created_at timestamptz(3) not null default current_timestamp,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create unique index api_key_digest_key on api_key (digest);

create table auth_token (
  digest bytea primary key,
  user_id text not null,
  key_id text not null references api_key on delete cascade,
  expires_at timestamptz(3) not null
);
create index auth_token_expires_at_idx on auth_token (expires_at);

create table staff_account (
  id text primary key,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  network_user_id text not null references network_user on delete restrict,
  is_disabled boolean not null default false,
  two_factor_enabled boolean not null default false,
  last_seen_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create unique index staff_account_email_key on staff_account (email);
create unique index staff_account_network_user_id_key on staff_account (network_user_id);

create table staff_session (
  id text primary key,
  token text not null,
  staff_account_id text not null references staff_account on delete cascade,
  ip_address text,
  user_agent text,
  last_seen_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create index staff_session_staff_account_id_idx on staff_session (staff_account_id);
create unique index staff_session_token_key on staff_session (token);

create table staff_login (
  id text primary key,
  account_id text not null,
  provider_id text not null,
  staff_account_id text not null references staff_account on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  password text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create index staff_login_staff_account_id_idx on staff_login (staff_account_id);

create table staff_verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create index staff_verification_identifier_idx on staff_verification (identifier);

create table staff_second_factor (
  id text primary key,
  staff_account_id text not null references staff_account on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz(3),
  last_used_step integer,
  created_at timestamptz(3) not null default current_timestamp
);
create unique index staff_second_factor_staff_account_id_key on staff_second_factor (staff_account_id);

create table staff_passkey (
  id text primary key,
  name text,
  public_key text not null,
  staff_account_id text not null references staff_account on delete cascade,
  credential_id text not null,
  counter integer not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz(3) not null default current_timestamp
);
create unique index staff_passkey_credential_id_key on staff_passkey (credential_id);
create index staff_passkey_staff_account_id_idx on staff_passkey (staff_account_id);

create table staff_link (
  digest bytea primary key,
  staff_account_id text not null references staff_account on delete cascade,
  created_by text,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null
);
create unique index staff_link_staff_account_id_key on staff_link (staff_account_id);

create table setup_link (
  digest bytea primary key,
  created_at timestamptz(3) not null default current_timestamp
);

create table sign_in_tries (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

create table idempotency_key (
  credential text not null,
  key_digest bytea not null,
  request_digest bytea not null,
  status smallint not null,
  answer bytea not null,
  created_at timestamptz(3) not null default current_timestamp,
  primary key (credential, key_digest)
);
create index idempotency_key_created_at_idx on idempotency_key (created_at);

create table decision (
  decision_id bigserial primary key,
  subject_type subject_type not null,
  subject_id text not null,
  community_id text,
  author_id text not null,
  kind text not null default 'held',
  outcome text not null,
  reason text,
  reason_id text,
  text_digest bytea,
  client_key text,
  bulk_id text,
  is_reversal boolean not null default false,
  decided_by text,
  decided_by_name text not null,
  decided_at timestamptz(3) not null,
  source source not null,
  version integer not null,
  held_at timestamptz(3),
  event_id bigint not null,
  undone_at timestamptz(3),
  are_bands_stored boolean not null default false
);
create index decision_decided_by_decided_at_idx on decision (decided_by, decided_at desc);
create index decision_author_id_decided_at_idx on decision (author_id, decided_at desc);
create index decision_subject_type_subject_id_decided_at_idx on decision (subject_type, subject_id, decided_at desc);

-- Values that two texts share when they say nearly the same, of what people rejected in the last 180 days: one row for each of 24 (docs/decisions/0242).
create table rejected_band (
  band integer not null,
  decided_at timestamptz(3) not null,
  decision_id bigint not null,
  community_key integer not null,
  primary key (band, decided_at, decision_id)
);

create table service_target (
  community_id text primary key references community on delete cascade,
  within_minutes integer not null,
  share_percent integer not null,
  updated_by text,
  updated_at timestamptz(3) not null
);

create table policy (
  policy_id text primary key default new_internal_id(),
  starter text,
  version integer not null default 1,
  is_archived boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index policy_starter_key on policy (starter);

create table policy_version (
  policy_id text not null references policy on delete cascade,
  version integer not null,
  texts jsonb not null,
  ground text not null,
  legal_reference text,
  url text,
  weight integer not null,
  category text not null,
  report_reasons text[] not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  primary key (policy_id, version)
);

create table statement (
  statement_id text primary key default new_internal_id(),
  measure text not null,
  user_id text not null,
  community_id text,
  channel_id text,
  subject_type subject_type,
  subject_id text,
  decision_id bigint,
  ban_id bigint,
  mute_id bigint,
  event_id bigint,
  policy_id text,
  policy_version integer,
  explanation text,
  words text,
  made_by text,
  found_by text[] not null default '{}',
  is_automated boolean not null default false,
  created_at timestamptz(3) not null,
  issued_at timestamptz(3),
  voided_at timestamptz(3),
  reversed_at timestamptz(3),
  reversed_by bigint
);
create index statement_user_id_issued_at_statement_id_idx on statement (user_id, issued_at, statement_id);
create index statement_of_content on statement (subject_type, subject_id) where subject_id is not null;
create index statement_to_issue on statement (created_at) where issued_at is null and voided_at is null;

create table appeal (
  appeal_id text primary key default new_internal_id(),
  statement_id text not null,
  user_id text not null,
  first_decider text,
  words text,
  state text not null default 'waiting',
  created_at timestamptz(3) not null,
  answer text,
  decided_by text,
  decided_at timestamptz(3),
  is_alone boolean not null default false,
  constraint appeal_state check (state in ('waiting', 'kept', 'reversed') and (state = 'waiting') = (decided_at is null)),
  constraint appeal_decided_by check ((decided_by is null) = (decided_at is null)),
  -- Another person decides; the same one alone where there is nobody else.
  constraint appeal_another_person check (is_alone or decided_by is null or first_decider is null or decided_by <> first_decider)
);
create unique index appeal_statement_id_key on appeal (statement_id);
create index appeal_user_id_idx on appeal (user_id);
create index appeal_waiting on appeal (created_at, appeal_id) where state = 'waiting';
create index appeal_decided on appeal (decided_at, appeal_id) where state <> 'waiting';

create table rejection_reason (
  reason_id text primary key default new_internal_id(),
  position integer not null,
  label text not null,
  text_to_author text,
  policy_id text,
  is_archived boolean not null default false,
  updated_by text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);

create table rule (
  rule_id text primary key default new_internal_id(),
  community_id text references community on delete cascade,
  position integer not null,
  name text not null,
  state rule_state not null default 'draft',
  version integer not null default 1,
  revision integer not null default 1,
  owner_id text not null,
  is_archived boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  max_overturned double precision default 0.5,
  live_since timestamptz(3)
);
create index rule_community_id_position_idx on rule (community_id, "position");

create table rule_version (
  rule_id text not null references rule on delete cascade,
  version integer not null,
  kinds text[] not null,
  condition jsonb not null,
  action jsonb not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (rule_id, version)
);

create table rule_match (
  match_id bigserial primary key,
  rule_id text not null,
  version integer not null,
  is_live boolean not null,
  subject_type subject_type not null,
  subject_id text not null,
  found jsonb not null,
  created_at timestamptz(3) not null,
  foreign key (rule_id, version) references rule_version on delete cascade
);
create index rule_match_rule_id_version_is_live_idx on rule_match (rule_id, version, is_live);
create unique index rule_match_subject_type_subject_id_rule_id_key on rule_match (subject_type, subject_id, rule_id);

-- What is pending and what became of it: one row a kind (`held`, `reported`) and subject.
create table review_item (
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  community_id text,
  channel_id text,
  post_id text,
  author_id text not null,
  state text not null,
  version integer not null,
  title text,
  text text,
  data_types text[] not null default '{}',
  is_reply boolean not null default false,
  written_at timestamptz(3) not null,
  opened_at timestamptz(3),
  placed_at timestamptz(3),
  closed_at timestamptz(3),
  target_minutes smallint,
  rule_minutes smallint,
  signal_minutes smallint,
  reach_minutes smallint,
  flag_count integer not null default 0,
  urgent_at timestamp(3) generated always as
    (urgent_at(placed_at, target_minutes, rule_minutes, signal_minutes, reach_minutes, flag_count)) stored,
  text_key uuid,
  text_bands integer[],
  claimed_by text,
  claimed_until timestamptz(3),
  escalated_at timestamptz(3),
  escalated_by text,
  escalated_by_name text,
  escalation_note text,
  handed_to text,
  hash_flag jsonb,
  primary key (subject_type, subject_id, kind),
  constraint review_item_state check (state in ('waiting', 'approved', 'rejected', 'dismissed', 'deleted', 'withdrawn', 'orphaned') or kind not in ('held', 'reported')),
  constraint review_item_waits check (state <> 'waiting' or opened_at is not null and placed_at is not null and closed_at is null),
  constraint review_item_claim check ((claimed_by is null) = (claimed_until is null))
) with (fillfactor = 85);

-- What an item said before its author changed it.
create table review_evidence (
  subject_type text not null,
  subject_id text not null,
  kind text not null,
  version integer not null,
  author_id text not null,
  title text,
  text text,
  replaced_at timestamptz(3) not null,
  primary key (subject_type, subject_id, kind, version)
);

create table bulk (
  bulk_id text primary key,
  made_by text not null,
  made_by_name text not null,
  outcome text not null,
  reason text,
  reason_id text,
  created_at timestamptz(3) not null,
  worked_at timestamptz(3) not null,
  finished_at timestamptz(3),
  undone_at timestamptz(3),
  sanction sanction_kind,
  sanction_scope ban_scope,
  sanction_ends_at timestamptz(3),
  sanction_reason text,
  sanction_policy_id text,
  constraint bulk_sanction_place check ((sanction is null) = (sanction_scope is null) and (sanction <> 'mute' or sanction_scope <> 'network'))
);
create index bulk_made_by_created_at_idx on bulk (made_by, created_at desc);

create table bulk_item (
  bulk_id text not null references bulk on delete cascade,
  position integer not null,
  subject_type subject_type not null,
  subject_id text not null,
  version integer not null,
  is_published boolean not null default false,
  state bulk_item_state not null default 'waiting',
  failure text,
  decision_id bigint,
  primary key (bulk_id, position)
);
create unique index bulk_item_bulk_id_subject_type_subject_id_key on bulk_item (bulk_id, subject_type, subject_id);

create table bulk_sanction (
  bulk_id text not null references bulk on delete cascade,
  position integer not null,
  space_id text not null,
  user_id text not null,
  state bulk_item_state not null default 'waiting',
  failure text,
  sanction_id bigint,
  primary key (bulk_id, position)
);
create unique index bulk_sanction_bulk_id_space_id_user_id_key on bulk_sanction (bulk_id, space_id, user_id);
create index bulk_sanction_user_id_idx on bulk_sanction (user_id);

create table staff_preference (
  user_id text primary key,
  preferences jsonb not null,
  updated_at timestamptz(3) not null default current_timestamp
);

create table notification_choice (
  user_id text not null,
  topic text not null,
  channel text not null,
  pace text not null,
  primary key (user_id, topic, channel)
);

create table notification_person (
  user_id text primary key,
  zone text not null,
  digest_hour smallint not null default 8,
  quiet_from smallint,
  quiet_until smallint,
  reports_from integer not null default 5,
  rejections integer not null default 0,
  refused_code integer,
  mail_ended_at timestamptz(3),
  updated_at timestamptz(3) not null,
  constraint notification_person_quiet check ((quiet_from is null) = (quiet_until is null))
);

create table notification (
  notification_id bigserial primary key,
  user_id text not null,
  topic text not null,
  channel text not null,
  subject_type text not null,
  subject_id text not null,
  key text not null,
  state text not null default 'waiting',
  tries integer not null default 0,
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create unique index notification_once
  on notification (user_id, channel, topic, subject_type, subject_id, key);
create index notification_created_at_idx on notification (created_at);
create index notification_due on notification (channel, due_at) where state = 'waiting';

create table push_subscription (
  subscription_id text primary key default new_internal_id(),
  user_id text not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz(3) not null
);
create unique index push_subscription_endpoint_key on push_subscription (endpoint);
create index push_subscription_user_id_idx on push_subscription (user_id);

create table chat_room (
  room_id text primary key default new_internal_id(),
  name text not null,
  format text not null,
  address bytea not null,
  host text not null,
  topics text[] not null,
  community_id text,
  reports_from integer not null default 5,
  language text not null default 'en',
  version integer not null default 1,
  failures integer not null default 0,
  retry_at timestamptz(3),
  last_sent_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_problem text,
  last_status integer,
  removed_at timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table chat_post (
  post_id bigserial primary key,
  room_id text not null,
  topic text not null,
  subject_type text not null,
  subject_id text not null,
  key text not null,
  state text not null default 'waiting',
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  foreign key (room_id) references chat_room (room_id) on update no action on delete cascade
);
create unique index chat_post_once on chat_post (room_id, topic, subject_type, subject_id, key);
create index chat_post_created_at_idx on chat_post (created_at);
create index chat_post_due on chat_post (room_id, due_at) where state = 'waiting';

create table notification_position (
  id integer primary key default 1,
  read_to bigint not null default 0,
  looked_at timestamptz(3) not null default current_timestamp,
  constraint notification_position_one_row check (id = 1)
);

create table notification_settings (
  id integer primary key default 1,
  host text,
  port integer,
  security text,
  username text,
  password bytea,
  from_address text,
  from_name text,
  includes_text boolean not null default false,
  vapid_public text,
  vapid_private bytea,
  version integer not null default 1,
  last_sent_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_problem text,
  last_code integer,
  updated_at timestamptz(3) not null default current_timestamp,
  updated_by text,
  constraint notification_settings_one_row check (id = 1)
);

create table translation_settings (
  id integer primary key default 1,
  url text,
  api_key bytea,
  is_on boolean not null default false,
  version integer not null default 1,
  updated_at timestamptz(3) not null default current_timestamp,
  updated_by text,
  constraint translation_settings_one_row check (id = 1)
);

create table lease (
  subject_type subject_type not null,
  subject_id text not null,
  holder_id text not null,
  token text not null default new_internal_id(),
  taken_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  primary key (subject_type, subject_id)
);
create index lease_expires_at_idx on lease (expires_at);

create table note (
  note_id bigserial primary key,
  about_user_id text not null,
  community_id text,
  written_by text not null,
  text text not null,
  created_at timestamptz(3) not null default current_timestamp,
  deleted_at timestamptz(3)
);
create index note_about_user_id_created_at_idx on note (about_user_id, created_at desc);

create table saved_view (
  view_id text primary key default new_internal_id(),
  owner_id text not null,
  name text not null,
  page text not null,
  filters jsonb not null,
  is_shared boolean not null default false,
  is_default boolean not null default false,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);
create index saved_view_owner_id_idx on saved_view (owner_id);

create table audit (
  audit_id bigserial primary key,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id text,
  source source not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  community_id text,
  channel_id text,
  before jsonb,
  after jsonb,
  text_digest bytea,
  request_id text not null,
  nonce bytea not null,
  mac bytea not null
);
create unique index audit_nonce on audit (nonce);
create index audit_subject_type_subject_id_audit_id_idx on audit (subject_type, subject_id, audit_id);

create table audit_text (
  audit_id bigint primary key,
  salt bytea,
  text text,
  erased_by text
);

create table audit_seal (
  seq bigint primary key,
  audit_id bigint not null,
  hash bytea not null
);
create unique index audit_seal_audit_id_key on audit_seal (audit_id);

create table audit_head (
  id smallint primary key default 1,
  generation bigint not null,
  seq bigint not null,
  count bigint not null,
  hash bytea not null,
  at timestamptz(3) not null,
  mac bytea not null,
  constraint audit_head_alone check (id = 1)
);

create table audit_rejected (
  audit_id bigint primary key,
  found_at timestamptz(3) not null,
  problem text not null
);

create table audit_check (
  walk audit_walk primary key,
  seq bigint not null,
  hash bytea not null,
  began_at timestamptz(3) not null,
  checked_at timestamptz(3) not null,
  finished_at timestamptz(3),
  problem text
);

create table reported_act (
  audit_id bigint primary key,
  at timestamptz(3) not null,
  event text not null,
  line_bytes integer not null
);
create index reported_act_at_audit_id_line_bytes_idx on reported_act (at, audit_id, line_bytes);

create table event (
  event_id bigserial primary key,
  seq bigint,
  name text not null,
  is_desk_only boolean not null default false,
  subject_type text not null,
  subject_id text not null,
  community_id text,
  payload jsonb not null,
  state event_state not null,
  created_at timestamptz(3) not null,
  releases_at timestamptz(3) not null
) partition by range (event_id);
create index event_seq_idx on event (seq);

create table webhook_endpoint (
  endpoint_id text primary key default new_internal_id(),
  url text not null,
  description text,
  events text[] not null default '{}',
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz(3),
  version integer not null default 1,
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text,
  removed_at timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint webhook_endpoint_reason check (disabled_reason in ('person', 'failing'))
);

create table classifier (
  classifier_id text primary key default new_internal_id(),
  name text not null,
  url text not null,
  secret bytea not null,
  community_id text,
  kinds subject_type[] not null,
  deadline_ms integer not null,
  batch_size integer not null,
  version integer not null default 1,
  read_to bigint not null,
  failures integer not null default 0,
  opened_at timestamptz(3),
  probe_at timestamptz(3),
  probes integer not null default 0,
  answered bigint not null default 0,
  failed bigint not null default 0,
  dropped bigint not null default 0,
  recent_ms integer[] default '{}',
  last_answered_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_problem text,
  last_status integer,
  disabled_at timestamptz(3),
  removed_at timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table classifier_item (
  classifier_id text not null,
  subject_type subject_type not null,
  subject_id text not null,
  event_seq bigint not null,
  requested_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  primary key (classifier_id, subject_type, subject_id)
);
create index classifier_item_classifier_id_requested_at_idx on classifier_item (classifier_id, requested_at);
create index classifier_item_classifier_id_due_at_idx on classifier_item (classifier_id, due_at);

create table delivery (
  delivery_id text primary key,
  endpoint_id text not null references webhook_endpoint on delete cascade,
  event_seq bigint not null,
  event_name text not null,
  subject_type text not null,
  subject_id text not null,
  state delivery_state not null default 'waiting',
  tries integer not null default 0,
  queued_at timestamptz(6),
  created_at timestamptz(3) not null,
  next_try_at timestamptz(3),
  finished_at timestamptz(3)
) partition by range (delivery_id);
create index delivery_created_at_delivery_id_idx on delivery (created_at desc, delivery_id desc);
create index delivery_event_name_created_at_delivery_id_idx on delivery (event_name, created_at desc, delivery_id desc);
create index delivery_state_created_at_delivery_id_idx on delivery (state, created_at desc, delivery_id desc);
create index delivery_endpoint_id_created_at_delivery_id_idx on delivery (endpoint_id, created_at desc, delivery_id desc);
create index delivery_queued_at_event_seq_idx on delivery (queued_at, event_seq);

create table delivery_try (
  delivery_id text not null,
  number integer not null,
  is_last boolean not null,
  started_at timestamptz(3) not null,
  duration_ms integer,
  status integer,
  problem try_problem,
  answer text,
  primary key (delivery_id, number)
) partition by range (delivery_id);

create table tally (
  kind tally_kind not null,
  subject_id text not null,
  total bigint not null,
  primary key (kind, subject_id)
);

create table tally_delta (
  delta_id bigserial primary key,
  kind tally_kind not null,
  subject_id text not null,
  delta integer not null
) with (vacuum_truncate = off);

create table named_queue (
  queue_id text primary key default new_internal_id(),
  community_id text references community on delete cascade,
  name text not null,
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index named_queue_community_id_idx on named_queue (community_id);

create table named_queue_member (
  queue_id text not null references named_queue on delete cascade,
  user_id text not null,
  primary key (queue_id, user_id)
);
create index named_queue_member_user_id_idx on named_queue_member (user_id);

-- What a held item can be found by besides its own columns, in the orders of the queue (docs/decisions/0244-queue-by-rule-and-by-signal.md).
create table review_facet (
  subject_type text not null,
  subject_id text not null,
  facet text not null,
  community_id text not null,
  score double precision,
  band smallint not null default 0,
  placed_at timestamptz(3) not null,
  urgent_at timestamp(3) not null,
  primary key (subject_type, subject_id, facet)
);
create index review_facet_urgent on review_facet (community_id, subject_type, facet, band, urgent_at, subject_id);
create index review_facet_in_order on review_facet (community_id, subject_type, facet, band, placed_at desc, subject_id);

-- Audit rows that have no seal yet. A trigger fills it, so that no writer can forget it.
create table audit_unsealed (
  audit_id bigint primary key
) with (vacuum_truncate = off);

-- ── Links ────────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Whether a title or text may have a link: a superset of what server/modules/rules/conditions/links.ts finds. PL/pgSQL,
-- as each statement that writes a row would inline a function in SQL into the conditions of two indexes first.
create function may_have_link(data jsonb) returns boolean language plpgsql immutable parallel safe as $$
begin
  return coalesce(data ->> 'text' ~ '[^[:space:].]\.[^[:space:].]|//', false)
    or coalesce(data ->> 'title' ~ '[^[:space:].]\.[^[:space:].]|//', false);
end
$$;

create index comment_with_link on comment (community_id, created_at) where may_have_link(data);
create index comment_with_link_anywhere on comment (created_at) where may_have_link(data);
create index post_with_link on post (community_id, created_at) where may_have_link(data) and parent_post_id is null;
create index post_with_link_anywhere on post (created_at) where may_have_link(data) and parent_post_id is null;
-- Keys never outlive their text.
create function forget_link_keys() returns trigger language plpgsql as $$
begin
  new.link_keys := null;
  return new;
end $$;

create trigger comment_link_keys_forgotten before update of data on comment for each row
  when (new.data is distinct from old.data and old.link_keys is not null) execute function forget_link_keys();
create trigger post_link_keys_forgotten before update of data on post for each row
  when (new.data is distinct from old.data and old.link_keys is not null) execute function forget_link_keys();
create trigger message_link_keys_forgotten before update of data on message for each row
  when (new.data is distinct from old.data and old.link_keys is not null) execute function forget_link_keys();
create index message_with_link on message (channel_id, created_at) where may_have_link(data);
create index message_with_link_anywhere on message (created_at) where may_have_link(data);

-- ── The review queue ─────────────────────────────────────────────────────────────────────────────────────────────────

-- Pending items: of a kind and type in a community by their place, also of what is written at a time, by how urgent they are, on a post, of
-- an author, flagged, with media, by text. `state` and `kind` are literals in statements, so that these indexes are used.
create index review_item_in_community on review_item (kind, community_id, subject_type, placed_at desc, subject_id) include (written_at)
  where state = 'waiting';
create index review_item_urgent on review_item (community_id, subject_type, urgent_at, subject_id) where state = 'waiting' and kind = 'held';
-- Pages of these two are grouped by written_at and know their latest and earliest placed_at, so a best-first search finds the next row of any range.
create index review_item_by_written on review_item using gist (community_id, subject_type, written_at, placed_at)
  where state = 'waiting' and kind = 'held';
create index review_item_urgent_by_written on review_item using gist (community_id, subject_type, written_at, urgent_at)
  where state = 'waiting' and kind = 'held';
create index review_item_on_post on review_item (post_id, placed_at desc, subject_id) include (written_at)
  where state = 'waiting' and kind = 'held' and post_id is not null;
create index review_item_on_post_by_written on review_item using gist (post_id, written_at, placed_at)
  where state = 'waiting' and kind = 'held' and post_id is not null;
create index review_item_urgent_on_post on review_item (post_id, urgent_at, subject_id)
  where state = 'waiting' and kind = 'held' and post_id is not null;
create index review_item_urgent_on_post_by_written on review_item using gist (post_id, written_at, urgent_at)
  where state = 'waiting' and kind = 'held' and post_id is not null;
-- Comments that left the queue with their post.
create index review_item_orphaned on review_item (post_id) where state = 'orphaned';
create index review_item_of_author on review_item (author_id, placed_at desc, subject_id) where state = 'waiting' and kind = 'held';
create index review_item_urgent_of_author on review_item (author_id, urgent_at, subject_id) where state = 'waiting' and kind = 'held';
create index review_item_flagged on review_item (community_id, subject_type, placed_at desc, subject_id)
  where state = 'waiting' and kind = 'held' and flag_count > 0;
create index review_item_with_media on review_item (community_id, subject_type, placed_at desc, subject_id)
  where state = 'waiting' and kind = 'held' and data_types && array['image', 'video'];
create index review_item_text on review_item using gin (item_words(title, text) gin_trgm_ops) where state = 'waiting' and kind = 'held';
-- How common each word is: if many items match, the queue is read in its order; if few do, through review_item_text.
create statistics review_item_words on (item_words(title, text)) from review_item;
create index review_item_alike on review_item (text_key, placed_at desc, subject_id)
  where state = 'waiting' and kind = 'held' and text_key is not null;
create index review_item_bands on review_item using gin (text_bands) with (fastupdate = off)
  where state = 'waiting' and kind = 'held' and text_bands is not null;
create index review_item_claimed on review_item (claimed_by, claimed_until) where claimed_by is not null;
create index review_item_escalated on review_item (community_id, escalated_at desc) where state = 'waiting' and escalated_at is not null;
-- What is pending in a channel, and of kinds other than the held items in the network, latest first.
create index review_item_in_channel on review_item (kind, channel_id, placed_at desc, subject_id, subject_type)
  where state = 'waiting' and channel_id is not null;
create index review_item_of_kind on review_item (kind, placed_at desc, subject_id, subject_type) where state = 'waiting' and kind <> 'held';
-- What closed reports still say, to forget it.
create index review_item_said on review_item (closed_at)
  where kind = 'reported' and closed_at is not null and (title is not null or text is not null);
create index review_evidence_replaced_at on review_evidence (replaced_at);
create index review_evidence_of_author on review_evidence (author_id);
-- Everything that was held in some communities during a time, whatever was decided, for insights.
create index review_item_opened on review_item (community_id, opened_at) where kind = 'held' and opened_at is not null;

-- Held posts for feeds of what is in review, in one community and everywhere.
create index post_held on post (community_id, queued_at desc, post_id)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null;
create index post_held_everywhere on post (queued_at desc, post_id) where feed_type = 'reviewing';
-- The minutes of a score, up to eight hours, and of so many people; null for none.
create function signal_urgency(score double precision) returns smallint language sql immutable parallel safe
  return nullif(round((greatest(score, 0.5) - 0.5) * 960), 0)::smallint;

create function reach_urgency(reach integer) returns smallint language sql immutable parallel safe
  return nullif(60 * greatest(length(reach::text) - 2, 0), 0)::smallint;

create index "rejected_band_in_community" on "rejected_band" ("community_key", "band", "decided_at", "decision_id");
create index "rejected_band_decided_at" on "rejected_band" using brin ("decided_at");
create index decision_without_bands on decision (decision_id) where outcome = 'rejected' and not are_bands_stored;
create index review_facet_by_score on review_facet (community_id, subject_type, facet, score desc, subject_id) where score is not null;
-- The labels of the rules that hold an item are facets of it too (docs/decisions/0244-queue-by-rule-and-by-signal.md).
create function facets_of(type subject_type, id text) returns table (facet text, score double precision) language sql stable as $$
  select 'signal:' || s.name, s.score from signal s where s.subject_type = type and s.subject_id = id
  union
  select of_rule.facet, null from rule_match m
  join rule_version v on v.rule_id = m.rule_id and v.version = m.version
  cross join lateral (values ('rule:' || m.rule_id), ('queue:' || (v.action ->> 'queueId')), ('label:' || (v.action ->> 'label'))) of_rule(facet)
  where m.subject_type = type and m.subject_id = id and m.is_live and v.action ->> 'type' = 'hold' and of_rule.facet is not null
$$;

create index "unjudged_import_community_id_subject_type_subject_id_idx" on "unjudged_import" ("community_id", "subject_type", "subject_id");
create index "unjudged_import_added_at_idx" on "unjudged_import" ("added_at");

-- ── Decisions, bulk actions, escalations, reports, views ─────────────────────────────────────────────────────────────

-- One expression, which becomes part of the statement. A function with a subquery starts an executor of its own at each call. The digest is of the
-- same bytes as before; that of no words at all is null.
create function text_digest(data jsonb) returns bytea language sql immutable parallel safe as $$
  select decode(nullif(md5(regexp_replace(lower(normalize(coalesce(data ->> 'text', ''), NFKC)), '[^[:alnum:]]+', '', 'g')), md5('')), 'hex')
$$;

-- Decisions on the same text.
create index decision_on_text on decision (text_digest, decided_at desc) where text_digest is not null and undone_at is null;
-- The decision that was already made with this client key.
create unique index decision_client_key on decision (decided_by, client_key) where client_key is not null;
create index decision_of_bulk on decision (bulk_id) where bulk_id is not null;
-- What was decided in some communities during a time, how, by whom and how soon, from the index alone.
create index decision_on_held on decision (community_id, decided_at) include (held_at, outcome, subject_type, decided_by, reason_id)
  where held_at is not null and undone_at is null;
create index bulk_item_waiting on bulk_item (bulk_id, position) where state = 'waiting';
create index bulk_unfinished on bulk (worked_at) where finished_at is null;
-- Views of a page that everyone sees. At most one default a page for each person, and one for everyone.
create index saved_view_shared on saved_view (page) where is_shared;
create unique index saved_view_default on saved_view (owner_id, page) where is_default and not is_shared;
create unique index saved_view_shared_default on saved_view (page) where is_default and is_shared;

-- ── Rules and signals ────────────────────────────────────────────────────────────────────────────────────────────────

create function keep_used_version() returns trigger language plpgsql as $$
begin
  if old.used_at is not null then
    raise exception 'a version of a rule that was used never changes';
  end if;
  return new;
end $$;

create trigger rule_version_kept before update on rule_version for each row execute function keep_used_version();
create index rule_match_rule_id_match_id_idx on rule_match (rule_id, match_id);
create index signal_unjudged on signal (received_at) where not is_judged;
create index rule_match_live on rule_match (rule_id, version, match_id) where is_live;

-- ── Comments, posts, flags, reactions ────────────────────────────────────────────────────────────────────────────────

-- Replies to a comment, oldest first; comments on a post or story, and comments of one author, newest first.
create index comment_replies on comment (parent_id, created_at, comment_id) where parent_id is not null;
create index comment_on_reference on comment (reference_id, created_at desc, comment_id);
create index comment_of_author on comment (user_id, created_at desc, comment_id);
-- Published comments of a post and published replies, so that reading them doesn't scan held ones.
create index comment_public on comment (reference_id, created_at desc, comment_id)
  where approval_status is null or approval_status = 'approved';
create index comment_public_replies on comment (parent_id, created_at, comment_id)
  where parent_id is not null and not is_deleted and (approval_status is null or approval_status = 'approved');
-- Flagged comments of a post or story, newest first; whether a community has any; those of one author.
create index comment_flagged on comment (reference_id, created_at desc, comment_id) where flag_count > 0;
create index comment_flagged_in_community on comment (community_id) where flag_count > 0;
create index comment_flagged_of_author on comment (user_id) where flag_count > 0;
-- Posts of a community, of an author, and on a user or content, newest first.
create index post_in_community on post (community_id, created_at desc, post_id);
create index post_of_author on post (posted_user_id, created_at desc, post_id);
create index post_on_target on post (target_id, created_at desc, post_id) where target_id is not null;
-- Flagged and declined posts of a community, newest first; flagged posts of one author.
create index post_flagged on post (community_id, created_at desc, post_id) where flag_count > 0;
create index post_declined on post (community_id, created_at desc, post_id) where feed_type = 'declined';
create index post_flagged_of_author on post (posted_user_id) where flag_count > 0;
-- The parts of a stream and of a room, shown with their post.
create index stream_parent on stream (parent_stream_id) where parent_stream_id is not null;
create index room_parent on room (parent_room_id) where parent_room_id is not null;
-- Flags and reactions of one person.
create index flag_of_user on flag (user_id, created_at desc);
create index reaction_of_user on reaction (user_id);
-- Rules of one list, newest first.
create index list_rule_newest on list_rule (list, created_at desc, rule_id);
-- Whether PostgreSQL can match a pattern, and through a long text in little time. Its engine is an automaton, linear in the text; only
-- building the automaton of a pattern can take long. Each time has a comment of its own, as PostgreSQL keeps the automaton of a spelling.
-- The quickest counts: the first also loads classes of characters, and a busy machine delays any.
create function is_sound_matcher(matcher text) returns boolean language plpgsql volatile as $$
declare
  started timestamptz;
  took interval;
begin
  for attempt in 1..3 loop
    started := clock_timestamp();
    perform repeat('some words ', 2000) ~* (matcher || '(?#' || gen_random_uuid() || ')');
    took := clock_timestamp() - started;
    exit when took < interval '100 milliseconds' or took > interval '1 second';
  end loop;
  return took < interval '100 milliseconds';
-- An automaton for which there isn't enough memory is an internal error.
exception when invalid_regular_expression or internal_error or out_of_memory then
  return false;
end $$;

-- ── Users, communities, sanctions ────────────────────────────────────────────────────────────────────────────────────

-- Lists of users by time and by name; by any part of a name, handle or id; by role; flagged ones.
create index network_user_newest on network_user (created_at desc, user_id);
create index network_user_by_name on network_user (lower(coalesce(display_name, user_id)), user_id);
create index network_user_name on network_user using gin (folded_text(display_name) gin_trgm_ops);
create unique index network_user_handle_key on network_user (handle_key(profile_handle));
create index network_user_handle on network_user using gin (profile_handle gin_trgm_ops);
create index network_user_id on network_user using gin (user_id gin_trgm_ops);
create index network_user_roles on network_user using gin (roles);
create index network_user_flagged on network_user (created_at desc, user_id) where flag_count > 0;
-- Lists of communities. Their own ids may be too long for an index beside a name: the internal id breaks ties.
create index community_newest on community (created_at desc, internal_id);
create index community_by_name on community (lower(left(coalesce(display_name, community_id), 80)), internal_id);
create index community_named on community using gin (folded_text(display_name) gin_trgm_ops);
create index community_user_newest on community_user (community_id, created_at desc, user_id);
create index community_user_roles on community_user using gin (community_id, roles);
-- At most one pending request a person and community. The requests of a community in one state, newest first.
create unique index join_request_pending on join_request (community_id, user_id) where status = 'pending';
create index join_request_newest on join_request (community_id, status, created_at desc, join_request_id);
-- One ban in force a person and space; bans that have an end, in the order they end.
create unique index ban_in_force on ban (user_id, scope, coalesce(community_id, channel_id, '')) where lifted_at is null;
create index ban_ends on ban (ends_at) where lifted_at is null and ends_at is not null;
-- One author treatment in force a person and place; those that have an end, in the order they end.
create unique index author_treatment_in_force on author_treatment (user_id, coalesce(community_id, '')) where ended_at is null;
create index author_treatment_ends on author_treatment (ends_at) where ended_at is null and ends_at is not null;
-- The record of the mute in force; an imported mute has none.
create unique index mute_in_force on mute (channel_id, user_id) where lifted_at is null;
-- Unfinished erasures, the one that has been waiting longest first.
create index erasure_unfinished on erasure (worked_at) where finished_at is null;
-- A name as people type it from memory: without case, accents, vowel points, apostrophes and punctuation, with single spaces. Letters that
-- have no decomposition are replaced by their usual spelling (ø by o, ß by ss), as are the variants of Arabic letters and digits. A name
-- of punctuation only stays as it is.
create function folded_name(name text) returns text language sql immutable parallel safe cost 100
return coalesce(
  nullif(btrim(regexp_replace(
    case when octet_length(name) = length(name) then lower(translate(name, '''`', '') collate "C")
    else
      replace(replace(replace(replace(translate(
        lower(regexp_replace(
          normalize(translate(name, '''`´’‘ʼʻʹʾʿ׳', ''), NFKD),
          '[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06ED\u200B-\u200F\u2060\uFEFF]',
          '', 'g')),
        'øłđðħıŋςىیةکٱ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'olddhinσييهكا01234567890123456789'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
    end,
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u05BE\u060C\u061B\u061F\u066A-\u066D\u06D4\u0964\u0965\u2000-\u206F\u3000-\u3004\u3008-\u3020\u30FB]+',
    ' ', 'g')), ''),
  lower(name));

-- The words of a name, and each of them with any one letter left out. Two words that are one error apart (a letter too many, too few,
-- another one, or two neighbours transposed) have one of these in common, so that an index finds one by the other.
create function name_spellings(name text) returns text[] language sql immutable parallel safe cost 1000
return array(
  select word from unnest((string_to_array(folded_name(name), ' '))[:8]) as word where word <> ''
  union
  select overlay(word placing '' from letter for 1)
  from unnest((string_to_array(folded_name(name), ' '))[:8]) as word
  cross join lateral generate_series(1, length(word)) as letter
  where length(word) between 3 and 32);

create index network_user_folded_name on network_user (folded_name(coalesce(display_name, user_id)), user_id);
create index network_user_folded_part on network_user using gin (folded_name(display_name) gin_trgm_ops);
create index network_user_spellings on network_user using gin (name_spellings(display_name));
-- Lists of people by state, newest first. People with flags have network_user_flagged.
create index network_user_banned on network_user (created_at desc, user_id) where is_global_ban;
create index network_user_deleted on network_user (created_at desc, user_id) where is_deleted;
create index community_user_mute_ends on community_user (mute_timeout) where mute_timeout is not null;
create index community_user_muted on community_user (community_id, created_at desc, user_id) where mute_timeout is not null;
create unique index community_mute_in_force on mute (community_id, user_id) where lifted_at is null and community_id is not null;
create index ban_of_policy on ban (policy_id) where policy_id is not null and lifted_at is null;
create index mute_of_policy on mute (policy_id) where policy_id is not null and lifted_at is null;
create index mute_on_content on mute (subject_type, subject_id) where subject_id is not null;
create index community_channel_id_idx on community (channel_id);
create index mute_by_rule_lifted on mute (lifted_at) where rule_version is not null;

-- ── Channels and their members ───────────────────────────────────────────────────────────────────────────────────────

-- Lists of channels, in each order. Ids may be too long for an index: the internal id breaks ties.
create index channel_by_activity on channel (last_activity desc, internal_id);
create index channel_newest on channel (created_at desc, internal_id);
create index channel_by_name on channel (lower(left(coalesce(display_name, channel_id), 80)), internal_id);
create index channel_name_part on channel using gin (folded_text(display_name) gin_trgm_ops);
-- Members by time, by name and by any part of it, and by role; banned and muted ones; mutes in the order they end.
create index channel_user_newest on channel_user (channel_id, created_at desc, user_id);
create index channel_user_by_name on channel_user (channel_id, sort_name, user_id);
create index channel_user_by_name_part on channel_user using gin (channel_id, sort_name gin_trgm_ops);
create index channel_user_roles on channel_user using gin (channel_id, roles);
create index channel_user_banned on channel_user (channel_id, created_at desc, user_id) where membership = 'banned';
create index channel_user_muted on channel_user (channel_id, created_at desc, user_id) where mute_timeout is not null;
create index channel_user_mute_ends on channel_user (mute_timeout) where mute_timeout is not null;
-- The sort name of a member follows the user's display name. It is cut, so that a member's position fits into a page token.
create function set_sort_name() returns trigger language plpgsql as $$
begin
  new.sort_name := coalesce((select folded_text(left(coalesce(u.display_name, u.user_id), 80)) from network_user u where u.user_id = new.user_id), '');
  return new;
end $$;

create trigger channel_user_sort_name before insert on channel_user for each row execute function set_sort_name();
create function follow_display_name() returns trigger language plpgsql as $$
begin
  update channel_user set sort_name = folded_text(left(coalesce(new.display_name, new.user_id), 80)) where user_id = new.user_id;
  return null;
end $$;

create trigger network_user_sort_name after update of display_name on network_user
  for each row when (old.display_name is distinct from new.display_name) execute function follow_display_name();

-- ── Messages and their search ────────────────────────────────────────────────────────────────────────────────────────

-- Messages of a channel, of the network, of one author and of one thread, newest first.
create index message_in_channel on message (channel_id, created_at desc, message_id);
create index message_newest on message (created_at desc, message_id);
create index message_of_author on message (user_id, created_at desc, message_id);
create index message_replies on message (parent_id, created_at desc, message_id) where parent_id is not null;
-- The segment of a channel's last message.
create index message_segment on message (channel_id, channel_segment desc) where channel_segment is not null;
-- Flagged messages of a channel, newest first, and of one author; messages that show somebody's reaction, by name.
create index message_flagged on message (channel_id, created_at desc, message_id) where flag_count > 0;
create index message_flagged_of_author on message (user_id) where flag_count > 0;
create index message_reacted_by on message ((latest_reaction ->> 'userId')) where latest_reaction is not null;
-- Search of messages and channels works in any language, by words and their beginnings. Each token has the level of its message: half of
-- all messages are on level u, a quarter on t, and so on down to a. A search that starts at level a and adds levels reads about as many
-- hits as it needs, however many there are; all levels together are all hits.
-- Two neighbouring words as one token: short ones as they are, since the most common phrases consist of them, and others as one of
-- 4,096 digests, which few texts share that have both words apart.
create function pair_token(word text, next text) returns text language sql immutable parallel safe
  return E'\n ' || case when length(word) <= 3 and length(next) <= 3 then word || ' ' || next
    else left(md5(word || ' ' || next), 3) end;

-- The tokens of a text, one a line: its words, cut to 64 characters, and its symbols; after a circumflex the first two and the first
-- three characters of each word; after a space each pair of neighbouring words, as pair_token builds it; and of unspaced scripts each
-- character and each two neighbours. PL/pgSQL, which caches its expressions, because it runs for every message. It calls no function
-- of this schema and takes the class as an argument, because an index is built with an empty search path.
create function token_lines(words text, unspaced_characters text) returns text
  language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  has_unspaced boolean := words ~ ('[' || unspaced_characters || ']');
  spaced text := words;
  lines text := '';
  word text;
  previous text;
begin
  foreach word in array string_to_array(btrim(words), ' ') loop
    lines := lines || coalesce(E'\n ' || case when length(previous) <= 3 and length(word) <= 3 then previous || ' ' || word
      else left(md5(previous || ' ' || word), 3) end, '');
    previous := word;
    continue when length(word) < 2 or has_unspaced and word ~ ('[' || unspaced_characters || ']');
    lines := lines || E'\n^' || left(word, 2) || E'\n^' || left(word, 3);
  end loop;
  if has_unspaced then
    spaced := regexp_replace(words, '(?: ?[' || unspaced_characters || ']+ ?)+', ' ', 'g');
    lines := lines || (
      select string_agg(
        E'\n' || character || case when next ~ ('[' || unspaced_characters || ']') then E'\n' || character || next else '' end, '')
      from (
        select character, lead(character) over (order by position) as next
        from unnest(string_to_array(words, null)) with ordinality as characters(character, position)) as neighbour
      where character ~ ('[' || unspaced_characters || ']'));
  end if;
  return lines || coalesce(
    E'\n' || replace(nullif(btrim(regexp_replace(spaced, '([^ ]{64})[^ ]+', '\1', 'g')), ''), ' ', E'\n'), '');
end $$;

create function search_tokens(words text) returns text language sql immutable parallel safe cost 1000
  return token_lines(words, unspaced_characters());

-- A filter of a search as a token that no text contains: no word or symbol begins with '#' and goes on.
create function facet_token(kind text, value text) returns text language sql immutable parallel safe
  return E'\n#' || kind || md5(value);

create function tag_tokens(tags text[]) returns text language plpgsql immutable parallel safe as $$
declare
  tag text;
  lines text := '';
begin
  foreach tag in array tags loop
    lines := lines || E'\n#tag' || md5(tag);
  end loop;
  return lines;
end $$;

-- Messages of the same ten minutes are on one level, because they are stored on the same pages.
create function message_level(created_at timestamptz) returns text language sql immutable parallel safe
  return chr(97 + width_bucket(
    timestamp_hash_extended(date_bin('10 minutes', created_at, timestamptz '2000-01-01T00:00:00Z') at time zone 'UTC', 0) & 1048575,
    array[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288]::bigint[]));

-- Every line with its level before it.
create function level_tokens(lines text, level text) returns tsvector language sql immutable parallel safe cost 1000
  return array_to_tsvector(string_to_array(substr(replace(lines, E'\n', E'\n' || level), 2), E'\n'));

create function message_tokens(
  created_at timestamptz, channel_id text, message_feed_id text, user_id text, type text, tags text[], words text)
  returns tsvector language sql immutable parallel safe cost 1000
  return level_tokens(
    facet_token('channel', channel_id) || facet_token('feed', coalesce(message_feed_id, '')) || facet_token('user', user_id)
      || facet_token('type', type) || tag_tokens(tags) || coalesce(search_tokens(words), ''),
    message_level(created_at));

-- Channels are few and need no levels.
create function channel_tokens(display_name text) returns tsvector language sql immutable parallel safe cost 1000
  return level_tokens(coalesce(search_tokens(search_words(display_name)), ''), '');

-- The tokens that a text has if it contains every word of a query, or a word that begins with the last word of each of its terms. The
-- level belongs where a line break is. Null for a query without words, which finds nothing.
create function search_query(query text, is_exact boolean) returns text language sql immutable parallel safe
begin atomic
  select string_agg(distinct
    case when begins and length(token) in (2, 3) then '''' || E'\n^' || token || ''''
      when begins then '''' || E'\n' || token || ''':*'
      else '''' || E'\n' || replace(replace(token, '\', '\\'), '''', '''''') || '''' end, '&')
  from regexp_split_to_table(folded_text(query), '\s+') as term
  cross join lateral (
    select left(piece[1], 64) as token,
      not is_exact and right(term, length(piece[1])) = piece[1] and piece[1] ~ ('^[' || word_characters() || ']') as begins
    from regexp_matches(regexp_replace(term, '[' || unspaced_characters() || ']+', ' ', 'g'),
      '[' || word_characters() || ']+|[^' || word_characters() || ' ]', 'g') as piece
    union all
    select character || coalesce(next, ''), false
    from (
      select character, position, lead(character) over (partition by run order by position) as next
      from regexp_matches(term, '[' || unspaced_characters() || ']+', 'g') with ordinality as runs(piece, run)
      cross join lateral unnest(string_to_array(piece[1], null)) with ordinality as characters(character, position)) as neighbours
    where next is not null or position = 1) as tokens;
end;

-- The tokens that a text has if it contains the query's words side by side. Null if no two are.
create function neighbour_query(query text) returns text language sql immutable parallel safe
begin atomic
  select string_agg(distinct '''' || replace(replace(pair_token(word, next), '\', '\\'), '''', '''''') || '''', '&')
  from (
    select word, lead(word) over (order by place) as next
    from string_to_table(btrim(search_words(query)), ' ') with ordinality as words(word, place)) as neighbours
  where word || next !~ ('[' || unspaced_characters() || ']');
end;

-- Messages with one of these values.
create function facet_query(kind text, wanted text[]) returns text language sql immutable parallel safe
begin atomic
  select '(' || string_agg('''' || facet_token(kind, value) || '''', '|') || ')' from unnest(wanted) as value;
end;

-- Regular expressions that match a text that contains each term of a query at the beginning of a word or, if exact, the whole query and
-- not as a part of a longer word.
create function search_patterns(query text, is_exact boolean) returns text[] language sql immutable parallel safe
begin atomic
  select array_agg(distinct
    case when wording ~ ('^(?![' || unspaced_characters() || '])[' || word_characters() || ']')
      then '(?:^|[^' || word_characters() || ']|[' || unspaced_characters() || '])' else '' end
    || regexp_replace(regexp_replace(wording, '[^[:alnum:]\s]', '\\\&', 'g'), '\s+', '\\s+', 'g')
    || case when is_exact and wording ~ ('[' || word_characters() || '](?<![' || unspaced_characters() || '])$')
      then '(?:$|[^' || word_characters() || ']|[' || unspaced_characters() || '])' else '' end)
  from (select regexp_replace(folded_text(query), '^\s+|\s+$', '', 'g')) as trimmed(phrase)
  cross join lateral unnest(case when is_exact then array[phrase] else regexp_split_to_array(phrase, '\s+') end) as wording
  where wording <> '';
end;

-- Without a pending list, which every level of every search would scan.
create index message_text on message using gin (
  message_tokens(created_at, channel_id, message_feed_id, user_id, type, tags, words)) with (fastupdate = off)
  where not is_deleted;
-- A channel's row is written with each of its messages: changes go to a pending list, which is kept short.
create index channel_name on channel using gin (channel_tokens(display_name)) with (gin_pending_list_limit = 64) where not is_deleted;

-- ── Roles ────────────────────────────────────────────────────────────────────────────────────────────────────────────

-- The permissions that these roles grant together, sorted.
create function role_permissions(role_ids text[]) returns text[] language sql stable parallel safe as $$
  select case when role_ids = '{}' then '{}'::text[] else (
    select coalesce(array_agg(distinct permission order by permission), '{}')
    from role, unnest(role.permissions) as permission
    where role.role_id = any(role_ids) and not role.is_deleted)
  end
$$;

-- The highest rank among these roles; 0 without any.
create function role_rank(role_ids text[]) returns int language sql stable parallel safe as $$
  select case when role_ids = '{}' then 0 else (
    select coalesce(max(role.rank), 0) from role where role.role_id = any(role_ids) and not role.is_deleted)
  end
$$;

-- The same for roles that are held network-wide: a role of a community or channel grants nothing there.
create function network_role_permissions(role_ids text[]) returns text[] language sql stable parallel safe as $$
  select case when role_ids = '{}' then '{}'::text[] else (
    select coalesce(array_agg(distinct permission order by permission), '{}')
    from role, unnest(role.permissions) as permission
    where role.role_id = any(role_ids) and role.scope = 'network' and not role.is_deleted)
  end
$$;

create function network_role_rank(role_ids text[]) returns int language sql stable parallel safe as $$
  select case when role_ids = '{}' then 0 else (
    select coalesce(max(role.rank), 0) from role
    where role.role_id = any(role_ids) and role.scope = 'network' and not role.is_deleted)
  end
$$;

-- Those of these roles that belong to one community or channel. A role without permissions and rank is only a label.
create function roles_of_spaces(role_ids text[]) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(role.role_id order by role.role_id), '{}') from role
  where role.role_id = any(role_ids) and role.scope <> 'network' and (role.permissions <> '{}' or role.rank > 0)
$$;

-- Roles of a community or channel can't be held network-wide.
create function reject_roles_of_spaces() returns trigger language plpgsql as $$
declare
  misplaced text[] := roles_of_spaces(case tg_op when 'UPDATE' then array(select unnest(new.roles) except select unnest(old.roles)) else new.roles end);
begin
  if misplaced <> '{}' then
    raise exception 'a role of a community or channel needs its space: %', array_to_string(misplaced, ', ')
      using errcode = 'check_violation', constraint = 'network_user_roles_need_no_space', table = 'network_user';
  end if;
  return new;
end $$;

create trigger network_user_roles_inserted before insert on network_user
  for each row when (new.roles <> '{}') execute function reject_roles_of_spaces();
create trigger network_user_roles_changed before update of roles on network_user
  for each row when (new.roles is distinct from old.roles and new.roles <> '{}') execute function reject_roles_of_spaces();
-- The users of these ids or internal ids, and the files of these ids with the avatars of these users, as one JSON value: for what few rows
-- refer to. Each part of a statement is set up whether a row needs it or not; what a function in PL/pgSQL reads only where it is called.
create function named_records(user_ids text[], internal_ids text[], file_ids text[]) returns json
language plpgsql stable parallel safe as $$
begin
  return (
    with person as materialized (
      select u.*, case when u.roles = '{}' then '{}' else network_role_permissions(u.roles) end as permissions
      from network_user u where u.user_id = any(user_ids) or u.internal_id = any(internal_ids))
    select json_build_object(
      'users', (select json_agg(person) from person),
      'files', (
        select json_agg(f) from file f where f.file_id = any(file_ids || array(select avatar_file_id from person)))));
end
$$;

-- ── Credentials ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- When tokens expired or were revoked: those that ended long ago are removed.
create index access_token_ended on access_token (least(revoked_at, expires_at));
-- Open sessions by the API key that opened them: they end with it.
create index access_token_key_id on access_token (key_id) where key_id is not null and revoked_at is null;
-- Admin tokens in use, by issuer: they end when their issuer may no longer issue them.
create index access_token_created_by on access_token (created_by) where kind = 'admin' and revoked_at is null;

-- ── The audit log ────────────────────────────────────────────────────────────────────────────────────────────────────

-- The log, latest first: all of it, by actor, by action and by community. Rows are inserted in order of time, so each of these trees
-- grows in few places. The rows of one subject are found by audit_subject_type_subject_id_audit_id_idx.
create index audit_at on audit (at, audit_id);
create index audit_by_actor on audit (actor_id, at, audit_id);
create index audit_of_action on audit (action, at, audit_id);
create index audit_in_community on audit (community_id, at, audit_id) where community_id is not null;
create function await_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed values (new.audit_id);
  return null;
end $$;

create trigger audit_await_seal after insert on audit for each row execute function await_seal();
create function reject_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger audit_append_only before update or delete on audit for each row execute function reject_change();
create trigger audit_no_truncate before truncate on audit for each statement execute function reject_change();
create trigger audit_seal_append_only before update or delete on audit_seal for each row execute function reject_change();
create trigger audit_seal_no_truncate before truncate on audit_seal for each statement execute function reject_change();
-- Text can only be erased, naming the audit row of the erasure.
create function guard_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.audit_id = old.audit_id and new.salt is null and new.text is null
    and new.erased_by is not null and old.erased_by is null then
    return new;
  end if;
  raise exception 'audit_text is append-only: words can be erased, not changed' using errcode = 'restrict_violation';
end $$;

create trigger audit_text_append_only before update or delete on audit_text for each row execute function guard_words();
create trigger audit_text_no_truncate before truncate on audit_text for each statement execute function guard_words();
-- A cell of CSV as a quoted field. One that begins with what a spreadsheet runs as a formula, or with an apostrophe, gets an apostrophe before it.
-- Where spreadsheets separate cells by semicolons, each begins a cell, whatever is quoted: so it is after each semicolon.
create function csv_cell(value text) returns text language plpgsql immutable parallel safe as $$
begin
  return case when coalesce(value, '') = '' then '' else
    '"' || replace(regexp_replace(value, '(^|;)(?=[=+\-@\t\r\n＝＋－＠''])', '\1''', 'g'), '"', '""') || '"'
  end;
end $$;

-- A line of the moderation activity report: network_id, user_id, event, note, content_type, content_public_id, target_type, target_id,
-- is_ai, created_at, updated_at, metadata.
create function report_line(act audit, event text, note text) returns text language plpgsql stable parallel safe as $$
declare
  done_at text := to_char(act.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
begin
  return concat_ws(',',
    csv_cell('network'), csv_cell(act.actor_id), csv_cell(event), csv_cell(note), csv_cell(act.subject_type), csv_cell(act.subject_id),
    csv_cell(case when act.community_id is not null then 'community' when act.channel_id is not null then 'channel' end),
    csv_cell(coalesce(act.community_id, act.channel_id)), csv_cell('false'), csv_cell(done_at), csv_cell(done_at),
    csv_cell(jsonb_strip_nulls(jsonb_build_object(
      'actorKind', act.actor_kind, 'source', act.source, 'before', act.before, 'after', act.after))::text)) || E'\r\n';
end $$;

-- ── Events, deliveries, counts ───────────────────────────────────────────────────────────────────────────────────────

-- Events without a number; held ones in the order of their release.
create index event_unsealed on event (event_id) where seq is null;
create index event_held on event (releases_at, event_id) where state = 'held';
-- An event is published no earlier than held events of the same subject (events/record-event.ts).
create index event_held_subject on event (subject_type, subject_id) where state = 'held';
-- Old events are deleted (events/forget-events.ts).
create index event_created on event (created_at);
-- Deliveries about one subject, newest first, by a digest: ids may be too long for an index.
create index delivery_subject on delivery (hashtextextended(subject_id, 0), created_at desc, delivery_id desc);
-- The last delivered one of an endpoint.
create index delivery_arrived on delivery (endpoint_id, finished_at desc) where state = 'delivered';
-- Attempts in progress: those that started long ago were interrupted with their process.
create index delivery_try_open on delivery_try (started_at) where duration_ms is null;
-- The open deltas of one subject's count.
create index tally_delta_of_subject on tally_delta (kind, subject_id);
-- Whether all rows of this partition were created before this, and none is needed any more: the numbering of events continues from the last number.
-- Looks in the indexes only, also before there are statistics of the partition.
create function has_expired(partition text, expired_before timestamptz) returns boolean language plpgsql stable set enable_seqscan = off
as $$
declare
  has_expired boolean;
begin
  execute format('select not exists (select from %I where created_at >= $1)', partition) into has_expired using expired_before;
  if has_expired and partition like 'event\_%' then
    execute format('
      select not exists (select from %1$I where state = ''held'') and not exists (select from %1$I where seq is null)
        and coalesce((select max(seq) from %1$I) < (select max(seq) from event), true)', partition)
      into has_expired;
  end if;
  return has_expired;
end $$;

-- Keeps the partitions of events. `deleted_from` is from where events are deleted one by one: the bound of the last partition that is full, or
-- the first event of the default one; null while another process is at it.
create function keep_event_partitions(expired_before timestamptz, out deleted_from bigint, out has_dropped boolean)
language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = '50ms'
as $$
begin
  select k.full_upto, k.has_dropped into deleted_from, has_dropped
  from keep_partitions('{event}', (select last_value from event_event_id_seq), (select min(event_id) from event), expired_before) k;
  deleted_from := least(deleted_from, case when deleted_from is not null then (select min(event_id) from event_default) end);
end $$;


-- The partitions of a table. `upto` is the event id or number that its first id after the partition stands for; null for the default partition.
create function partitions_of(parent text) returns table (name text, upto bigint) language sql stable
as $$
  select c.relname::text, coalesce(substring(b.bound from $re$TO \('(\d+)'\)$re$)::bigint,
    ('x' || replace(substring(b.bound from $re$TO \('([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4})-$re$), '-', ''))::bit(64)::bigint)
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where i.inhparent = parent::regclass
$$;

-- The first id after a partition: of an event, or of the deliveries of the event with that number.
create function partition_bound(parent text, upto bigint) returns text language sql immutable
as $$
  select case parent when 'event' then upto::text else (lpad(to_hex(upto), 16, '0') || repeat('0', 16))::uuid::text end
$$;

-- A table that was detached is dropped without its foreign keys: with them, the transaction that drops it would lock webhook_endpoint until the
-- disk has written, while every delivery waits, and could not drop it as long as somebody reads that table.
-- One call does one of these things to tables that are partitioned alike, of which the first one tells what has expired: detach the oldest
-- partition if it is full and all of it has expired; drop what was detached; add the partitions that will be needed next. `has_dropped` is false
-- after the last one. `full_upto` is the bound of the last partition that is full; null while another process is at it. Waits with others behind
-- it for 50 ms at most for each table, and never for somebody who has locked a single partition: what could not be done is done by a later call.
create function keep_partitions(tables text[], reached bigint, first_kept bigint, expired_before timestamptz,
  out full_upto bigint, out has_dropped boolean)
language plpgsql volatile
as $$
declare
  oldest text;
  detached text;
  referenced text;
  foreign_key record;
  next_from bigint;
  next_rows bigint;
  default_rows bigint;
  parent text;
begin
  has_dropped := false;
  if not pg_try_advisory_xact_lock(72707374, hashtext(tables[1])) then
    return;
  end if;
  full_upto := coalesce((select max(upto) from partitions_of(tables[1]) where upto <= reached), 0);
  -- Locks are not kept while the disk writes: what a crash undoes is done again.
  perform set_config('synchronous_commit', 'off', true);
  perform set_config('lock_timeout', '50ms', true);

  select substring(name from '\d+$') into oldest from partitions_of(tables[1]) where upto <= reached order by upto limit 1;
  if oldest is not null and has_expired(tables[1] || '_' || oldest, expired_before) then
    begin
      -- To drop a foreign key, the table it refers to is locked: first, as by everybody who locks rows of both.
      select string_agg(distinct c.confrelid::regclass::text, ', ') into referenced
      from pg_constraint c join unnest(tables) t on c.conrelid = t::regclass where c.contype = 'f';
      if referenced is not null then
        execute format('lock table %s in access exclusive mode', referenced);
      end if;
      execute (select format('lock table %s in access exclusive mode', string_agg(format('only %I', t), ', ')) from unnest(tables) t);
      execute (select format('lock table %s in access exclusive mode nowait', string_agg(format('only %I, only %I', t || '_' || oldest, t || '_default'), ', '))
        from unnest(tables) t);
      -- A transaction may have been open before.
      if has_expired(tables[1] || '_' || oldest, expired_before) then
        foreach parent in array tables loop
          execute format('alter table %I detach partition %I', parent, parent || '_' || oldest);
          for foreign_key in select conname from pg_constraint where conrelid = (parent || '_' || oldest)::regclass and contype = 'f' loop
            execute format('alter table %I drop constraint %I', parent || '_' || oldest, foreign_key.conname);
          end loop;
          execute format('alter table %I set schema docket_expired', parent || '_' || oldest);
        end loop;
        has_dropped := true;
        return;
      end if;
    exception when lock_not_available then
      raise notice 'no partition was detached: the table is locked';
    end;
  end if;

  detached := (select string_agg(format('docket_expired.%I', relname), ', ') from pg_class
    where relnamespace = 'docket_expired'::regnamespace and relkind = 'r' and relname ~ format('^(%s)_\d+$', array_to_string(tables, '|')));
  if detached is not null then
    begin
      perform set_config('lock_timeout', '1s', true);
      execute format('drop table %s', detached);
      has_dropped := true;
      return;
    exception when lock_not_available then
      raise notice 'what was detached was not dropped: it is locked';
      perform set_config('lock_timeout', '50ms', true);
    end;
  end if;

  -- With a margin, for statements that have taken an id and not yet found its partition.
  next_from := greatest((select max(upto) from partitions_of(tables[1])), reached + 10000);
  -- An eighth of what is kept, so that there are few partitions, but enough to be worth one.
  next_rows := greatest(1000000, (reached - first_kept) / 8);
  default_rows := 0;
  foreach parent in array tables loop
    execute format('select greatest($1, count(*)) from (select from %I limit 100000) as read', parent || '_default') into default_rows using default_rows;
  end loop;
  -- Two in advance. To add one, all of the default one is read under a lock.
  while next_from - reached < 2 * next_rows and default_rows < 100000 loop
    begin
      foreach parent in array tables loop
        perform add_partition(parent, next_from::text, partition_bound(parent, next_from), partition_bound(parent, next_from + next_rows));
      end loop;
      next_from := next_from + next_rows;
    exception when lock_not_available then
      raise notice 'no partition was added: the table is locked';
      exit;
    end;
  end loop;
end $$;

create function add_partition(parent text, suffix text, lower_bound text, upper_bound text) returns void language plpgsql
as $$
begin
  execute format('create table %I (like %I including defaults)', parent || '_' || suffix, parent);
  if parent = 'delivery' then
    execute format('create unique index %I on %I (event_seq, endpoint_id)', 'delivery_' || suffix || '_event_seq_endpoint_id_key', 'delivery_' || suffix);
  end if;
  execute format('alter table %I attach partition %I for values from (%s) to (%L)', parent, parent || '_' || suffix,
    coalesce(quote_literal(lower_bound), 'minvalue'), upper_bound);
end $$;

-- In place of a foreign key, for which a partition of deliveries could not be dropped without reading all attempts under a lock.
create function delete_tries() returns trigger language plpgsql
as $$
begin
  delete from delivery_try where delivery_id in (select delivery_id from deleted);
  return null;
end $$;

create trigger delete_tries after delete on delivery referencing old table as deleted for each statement execute function delete_tries();
-- Keeps the partitions of deliveries and of their attempts. `deleted_from` is from where deliveries are deleted one by one: the bound of the last
-- partition that is full, or the first delivery of the default one; null while another process is at it.
create function keep_delivery_partitions(expired_before timestamptz, out deleted_from text, out has_dropped boolean)
language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = '50ms'
as $$
declare
  full_upto bigint;
begin
  select k.full_upto, k.has_dropped into full_upto, has_dropped
  from keep_partitions('{delivery,delivery_try}', (select coalesce(max(seq), 0) from event), (select min(seq) from event), expired_before) k;
  if full_upto is not null then
    deleted_from := least(partition_bound('delivery', full_upto), (select min(delivery_id) from delivery_default));
  end if;
end $$;

-- Replaces the partitions of empty tables by one each, that all rows up to this number, and as many as usual after it, belong to: for a restore.
create function restart_partitions(tables text[], reached bigint) returns void language plpgsql
as $$
declare
  parent text;
  part record;
begin
  foreach parent in array tables loop
    for part in select name from partitions_of(parent) where upto is not null loop
      execute format('drop table %I', part.name);
    end loop;
    perform add_partition(parent, '0', null, partition_bound(parent, reached + 1000000));
  end loop;
end $$;

-- A schema of their own keeps partitions that were detached out of backups.
create schema if not exists docket_expired;

-- The default partitions take what no other takes, so that no write fails for the lack of one.
create table event_default partition of event default;
create table delivery_default partition of delivery default;
create unique index delivery_default_event_seq_endpoint_id_key on delivery_default (event_seq, endpoint_id);
create table delivery_try_default partition of delivery_try default;
select restart_partitions('{event,delivery,delivery_try}', 1000000);

-- ── Rows ────────────────────────────────────────────────────────────────────────────────────────────────────────────

insert into network_settings (id) values (1);
insert into notification_position (id) values (1);
insert into notification_settings (id) values (1);
insert into translation_settings (id) values (1);

insert into role (role_id, display_name, rank, scope, permissions) values
  ('channel-moderator', 'Channel moderator', 100, 'channel', array[
    'MUTE_CHANNEL', 'CLOSE_CHANNEL', 'EDIT_CHANNEL', 'EDIT_CHANNEL_RATELIMIT', 'EDIT_MESSAGE', 'DELETE_MESSAGE', 'BAN_USER_FROM_CHANNEL',
    'MUTE_USER_INSIDE_CHANNEL', 'ADD_CHANNEL_USER', 'REMOVE_CHANNEL_USER', 'EDIT_CHANNEL_USER', 'ASSIGN_CHANNEL_USER_ROLE']),
  ('community-moderator', 'Community moderator', 200, 'community', array[
    'ADD_COMMUNITY_USER', 'ASSIGN_COMMUNITY_USER_ROLE', 'BAN_COMMUNITY_USER', 'DELETE_COMMUNITY', 'DELETE_COMMUNITY_COMMENT',
    'DELETE_COMMUNITY_POST', 'EDIT_COMMUNITY', 'EDIT_COMMUNITY_COMMENT', 'EDIT_COMMUNITY_POST', 'EDIT_COMMUNITY_USER',
    'MANAGE_COMMUNITY_STORY', 'MANAGE_RULES', 'MUTE_COMMUNITY_USER', 'PIN_COMMUNITY_POST', 'REMOVE_COMMUNITY_USER',
    'REVIEW_COMMUNITY_COMMENT', 'REVIEW_COMMUNITY_POST']),
  ('support', 'Support', 400, 'network', array['VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY']);

-- The creator of a channel or community ranks above the moderators they appoint there, with the same permissions.
insert into role (role_id, display_name, rank, scope, permissions)
select owner.role_id, owner.display_name, owner.rank, moderator.scope, moderator.permissions
from (values
  ('channel-owner', 'Channel owner', 150, 'channel-moderator'),
  ('community-owner', 'Community owner', 250, 'community-moderator')) owner(role_id, display_name, rank, moderator_id)
join role moderator on moderator.role_id = owner.moderator_id;

-- Moderators of the network have every community and channel permission everywhere, beside their own.
insert into role (role_id, display_name, rank, scope, permissions)
select network.role_id, network.display_name, network.rank, 'network', array(
  select distinct permission
  from unnest(network.permissions || array(select unnest(space.permissions) from role space where space.scope <> 'network')) as permission
  order by permission)
from (values
  ('moderator', 'Moderator', 600, array['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY']),
  ('super-moderator', 'Super moderator', 800, array[
    'MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY', 'EDIT_USER', 'ASSIGN_USER_ROLE', 'CREATE_ROLE',
    'EDIT_ROLE', 'DELETE_ROLE', 'MANAGE_NETWORK_SETTINGS']),
  ('global-admin', 'Global admin', 1000, array[
    'MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY', 'EDIT_USER', 'ASSIGN_USER_ROLE', 'CREATE_ROLE',
    'EDIT_ROLE', 'DELETE_ROLE', 'MANAGE_NETWORK_SETTINGS', 'EDIT_USER_FEED_POST', 'DELETE_USER_FEED_POST', 'EDIT_USER_FEED_COMMENT',
    'DELETE_USER_FEED_COMMENT', 'CREATE_COMMUNITY_CATEGORY', 'EDIT_COMMUNITY_CATEGORY', 'DELETE_COMMUNITY_CATEGORY', 'READ_CONVERSATIONS',
    'MANAGE_STAFF', 'MANAGE_CREDENTIALS'])) network(role_id, display_name, rank, permissions);

-- The interface's flag reasons (docs/interface/reports-and-flags.md), the most common one first, until a network writes its own.
insert into rejection_reason (reason_id, position, label) values
  ('spam', 1, 'Spam or scams'),
  ('guidelines', 2, 'Against community guidelines'),
  ('harassment', 3, 'Harassment or bullying'),
  ('self-harm', 4, 'Self-harm or suicide'),
  ('violence', 5, 'Violence or threatening content'),
  ('restricted', 6, 'Selling and promoting restricted items'),
  ('sexual', 7, 'Sexual content or nudity'),
  ('false', 8, 'False information or misinformation'),
  ('others', 9, 'Others');

-- ── Statistics that stay ────────────────────────────────────────────────────────────────────────────────────────────

-- By statistics from a moment at which all open deltas were of one subject, PostgreSQL reads them through a bitmap. That marks no entries of the
-- index as dead, so that each count passes all deltas that were folded since the last vacuum. By these statistics, of many subjects in no
-- order, it reads the index itself. Later analyses leave them as they are.
insert into tally_delta (kind, subject_id, delta)
select kind, 'analysed ' || kind || n, 0
from unnest(enum_range(null::tally_kind)) kind cross join generate_series(1, 100) n
order by md5(kind || ' ' || n);

analyze tally_delta (kind, subject_id);

delete from tally_delta where delta = 0 and subject_id like 'analysed %';

alter table tally_delta alter column kind set statistics 0, alter column subject_id set statistics 0;
