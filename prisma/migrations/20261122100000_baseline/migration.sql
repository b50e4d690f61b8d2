-- The schema of Docket. Tables, keys and plain indexes are as Prisma prints them for schema.prisma, except that lists are not null and
-- message.words is generated. What schema.prisma can't express follows by subject, and is listed in prisma/catalogue.txt.

-- ── Extensions ──────────────────────────────────────────────────────────────────────────────────────────────────────

create extension if not exists btree_gist; -- The queue filtered by written time and sorted by held time, from one index.
create extension if not exists btree_gin;  -- Members of a channel by role and by name.
create extension if not exists pg_trgm;    -- Names and text by any part of them.

-- ── Functions that column definitions use ───────────────────────────────────────────────────────────────────────────

-- Internal ids (`_id`): 24 random hexadecimal digits.
create function new_internal_id() returns text language sql volatile as
  $$ select left(replace(gen_random_uuid()::text, '-', ''), 24) $$;

-- Text in the form in which it is compared: without differences of compatibility forms and letter case.
create function search_text(text text) returns text language sql immutable parallel safe
  return case when octet_length(text) = length(text) then lower(text collate "C") else lower(normalize(text, NFKC)) end;

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
    regexp_replace(' ' || search_text(text) || ' ',
      '[' || unspaced_characters() || ']+|[^' || word_characters() || unspaced_characters() || ' ]', ' \& ', 'g'),
    '\s{2,}|[^\S ]', ' ', 'g');

-- ── Tables ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- CreateEnum
CREATE TYPE "role_scope" AS ENUM ('network', 'community', 'channel');

-- CreateEnum
CREATE TYPE "ban_scope" AS ENUM ('network', 'community', 'channel');

-- CreateEnum
CREATE TYPE "notification_mode" AS ENUM ('default', 'silent', 'subscribe');

-- CreateEnum
CREATE TYPE "community_type" AS ENUM ('default', 'event');

-- CreateEnum
CREATE TYPE "membership" AS ENUM ('none', 'member', 'banned');

-- CreateEnum
CREATE TYPE "join_request_status" AS ENUM ('pending', 'approved', 'rejected', 'cancelled');

-- CreateEnum
CREATE TYPE "feed_type" AS ENUM ('reviewing', 'published', 'declined');

-- CreateEnum
CREATE TYPE "target_type" AS ENUM ('community', 'user', 'content');

-- CreateEnum
CREATE TYPE "reference_type" AS ENUM ('post', 'content', 'story');

-- CreateEnum
CREATE TYPE "approval_status" AS ENUM ('pending', 'approved', 'rejected');

-- CreateEnum
CREATE TYPE "channel_type" AS ENUM ('community', 'conversation', 'live', 'broadcast');

-- CreateEnum
CREATE TYPE "file_type" AS ENUM ('image', 'file', 'video', 'clip', 'audio');

-- CreateEnum
CREATE TYPE "file_access_type" AS ENUM ('public', 'network');

-- CreateEnum
CREATE TYPE "stream_status" AS ENUM ('idle', 'live', 'ended', 'recorded');

-- CreateEnum
CREATE TYPE "room_status" AS ENUM ('idle', 'live', 'waiting_reconnect', 'ended', 'recorded', 'terminated');

-- CreateEnum
CREATE TYPE "list_kind" AS ENUM ('allow', 'block');

-- CreateEnum
CREATE TYPE "list_category" AS ENUM ('content', 'user');

-- CreateEnum
CREATE TYPE "token_kind" AS ENUM ('user', 'admin');

-- CreateEnum
CREATE TYPE "subject_type" AS ENUM ('comment', 'post', 'message', 'user');

-- CreateEnum
CREATE TYPE "decision_outcome" AS ENUM ('approved', 'rejected', 'dismissed', 'deleted');

-- CreateEnum
CREATE TYPE "source" AS ENUM ('desk', 'rest', 'cli');

-- CreateEnum
CREATE TYPE "bulk_item_state" AS ENUM ('waiting', 'done', 'refused', 'undone');

-- CreateEnum
CREATE TYPE "audit_walk" AS ENUM ('latest', 'full');

-- CreateEnum
CREATE TYPE "event_state" AS ENUM ('held', 'released', 'cancelled');

-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('waiting', 'delivered', 'failed', 'skipped');

-- CreateEnum
CREATE TYPE "try_problem" AS ENUM ('status', 'redirect', 'timeout', 'address', 'name', 'connection', 'certificate', 'cut', 'interrupted');

-- CreateEnum
CREATE TYPE "tally_kind" AS ENUM ('held_comments', 'community_members', 'community_moderators', 'community_posts', 'channel_members', 'channel_messages', 'feed_posts', 'comment_children', 'post_comments', 'held_posts', 'reported_comments', 'reported_posts', 'reported_messages', 'reported_people');

-- CreateTable
CREATE TABLE "role" (
    "role_id" TEXT NOT NULL,
    "display_name" TEXT,
    "rank" INTEGER NOT NULL DEFAULT 0,
    "scope" "role_scope" NOT NULL,
    "permissions" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "updated_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "role_pkey" PRIMARY KEY ("role_id")
);

-- CreateTable
CREATE TABLE "network_user" (
    "user_id" TEXT NOT NULL,
    "internal_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "display_name" TEXT,
    "profile_handle" TEXT,
    "description" TEXT,
    "avatar_file_id" TEXT,
    "avatar_custom_url" TEXT,
    "roles" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "metadata" JSONB,
    "flag_count" INTEGER NOT NULL DEFAULT 0,
    "hash_flag" JSONB,
    "is_global_ban" BOOLEAN NOT NULL DEFAULT false,
    "is_brand" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "network_user_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "erasure" (
    "user_id" TEXT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "worked_at" TIMESTAMPTZ(3) NOT NULL,
    "events_read" BIGINT NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "erasure_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "ban" (
    "ban_id" BIGSERIAL NOT NULL,
    "scope" "ban_scope" NOT NULL,
    "community_id" TEXT,
    "channel_id" TEXT,
    "user_id" TEXT NOT NULL,
    "banned_by" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3),
    "lifted_at" TIMESTAMPTZ(3),
    "lifted_by" TEXT,

    CONSTRAINT "ban_pkey" PRIMARY KEY ("ban_id")
);

-- CreateTable
CREATE TABLE "mute" (
    "mute_id" BIGSERIAL NOT NULL,
    "channel_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "muted_by" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "lifted_at" TIMESTAMPTZ(3),
    "lifted_by" TEXT,

    CONSTRAINT "mute_pkey" PRIMARY KEY ("mute_id")
);

-- CreateTable
CREATE TABLE "community" (
    "community_id" TEXT NOT NULL,
    "internal_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "channel_id" TEXT,
    "display_name" TEXT,
    "user_id" TEXT,
    "avatar_file_id" TEXT,
    "description" TEXT,
    "is_official" BOOLEAN NOT NULL DEFAULT false,
    "is_public" BOOLEAN NOT NULL DEFAULT true,
    "only_admin_can_post" BOOLEAN NOT NULL DEFAULT false,
    "has_flagged_comment" BOOLEAN NOT NULL DEFAULT false,
    "has_flagged_post" BOOLEAN NOT NULL DEFAULT false,
    "need_approval_on_post_creation" BOOLEAN NOT NULL DEFAULT false,
    "need_approval_on_comment_creation" BOOLEAN NOT NULL DEFAULT false,
    "allow_comment_in_story" BOOLEAN NOT NULL DEFAULT false,
    "is_discoverable" BOOLEAN NOT NULL DEFAULT false,
    "requires_join_approval" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "tags" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "category_ids" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "metadata" JSONB,
    "notification_mode" "notification_mode" NOT NULL DEFAULT 'default',
    "type" "community_type" NOT NULL DEFAULT 'default',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "community_pkey" PRIMARY KEY ("community_id")
);

-- CreateTable
CREATE TABLE "community_user" (
    "community_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "membership" "membership" NOT NULL DEFAULT 'none',
    "not_member_reason" TEXT,
    "roles" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "last_activity" TIMESTAMPTZ(3),
    "last_join" TIMESTAMPTZ(3),
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "community_user_pkey" PRIMARY KEY ("community_id","user_id")
);

-- CreateTable
CREATE TABLE "join_request" (
    "join_request_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "community_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "status" "join_request_status" NOT NULL DEFAULT 'pending',
    "responded_at" TIMESTAMPTZ(3),
    "responder_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "join_request_pkey" PRIMARY KEY ("join_request_id")
);

-- CreateTable
CREATE TABLE "category" (
    "category_id" TEXT NOT NULL,
    "name" TEXT,
    "avatar_file_id" TEXT,
    "metadata" JSONB,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "category_pkey" PRIMARY KEY ("category_id")
);

-- CreateTable
CREATE TABLE "feed" (
    "feed_id" TEXT NOT NULL,
    "target_id" TEXT,
    "target_type" TEXT,
    "feed_type" "feed_type" NOT NULL DEFAULT 'published',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feed_pkey" PRIMARY KEY ("feed_id")
);

-- CreateTable
CREATE TABLE "post" (
    "post_id" TEXT NOT NULL,
    "internal_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "parent_post_id" TEXT,
    "posted_user_id" TEXT NOT NULL,
    "shared_user_id" TEXT,
    "target_type" "target_type" NOT NULL DEFAULT 'community',
    "community_id" TEXT,
    "target_id" TEXT,
    "feed_id" TEXT,
    "feed_type" "feed_type" NOT NULL DEFAULT 'published',
    "queued_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "data" JSONB NOT NULL DEFAULT '{}',
    "data_type" TEXT,
    "structure_type" TEXT,
    "metadata" JSONB,
    "shared_count" INTEGER NOT NULL DEFAULT 0,
    "children_number" INTEGER NOT NULL DEFAULT 0,
    "impression" INTEGER NOT NULL DEFAULT 0,
    "reach" INTEGER NOT NULL DEFAULT 0,
    "reactions" JSONB NOT NULL DEFAULT '{}',
    "reactions_count" INTEGER NOT NULL DEFAULT 0,
    "flag_count" INTEGER NOT NULL DEFAULT 0,
    "hash_flag" JSONB,
    "tags" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "hashtags" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "mentionees" JSONB,
    "has_flagged_comment" BOOLEAN NOT NULL DEFAULT false,
    "has_flagged_children" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "edited_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "post_pkey" PRIMARY KEY ("post_id")
);

-- CreateTable
CREATE TABLE "comment" (
    "comment_id" TEXT NOT NULL,
    "internal_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "target_type" "target_type",
    "community_id" TEXT,
    "target_id" TEXT,
    "reference_type" "reference_type",
    "reference_id" TEXT,
    "user_id" TEXT NOT NULL,
    "parent_id" TEXT,
    "root_id" TEXT,
    "data_types" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "data" JSONB,
    "metadata" JSONB,
    "segment_number" INTEGER,
    "flag_count" INTEGER NOT NULL DEFAULT 0,
    "hash_flag" JSONB,
    "reactions" JSONB NOT NULL DEFAULT '{}',
    "reactions_count" INTEGER NOT NULL DEFAULT 0,
    "mentionees" JSONB,
    "attachments" JSONB,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "approval_status" "approval_status",
    "queued_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "edited_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "comment_pkey" PRIMARY KEY ("comment_id")
);

-- CreateTable
CREATE TABLE "reaction" (
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "reaction_name" TEXT NOT NULL,
    "reaction_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reaction_pkey" PRIMARY KEY ("subject_type","subject_id","user_id","reaction_name")
);

-- CreateTable
CREATE TABLE "flag" (
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT 'Others',
    "detail" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cleared_at" TIMESTAMPTZ(3),

    CONSTRAINT "flag_pkey" PRIMARY KEY ("subject_type","subject_id","user_id")
);

-- CreateTable
CREATE TABLE "channel" (
    "channel_id" TEXT NOT NULL,
    "internal_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "type" "channel_type" NOT NULL DEFAULT 'community',
    "display_name" TEXT,
    "avatar_file_id" TEXT,
    "is_public" BOOLEAN NOT NULL DEFAULT true,
    "is_distinct" BOOLEAN NOT NULL DEFAULT false,
    "is_rate_limited" BOOLEAN NOT NULL DEFAULT false,
    "rate_limit" INTEGER,
    "rate_limit_window" INTEGER,
    "rate_limit_timeout" TIMESTAMPTZ(3),
    "mute_timeout" TIMESTAMPTZ(3),
    "message_auto_delete_enabled" BOOLEAN NOT NULL DEFAULT false,
    "auto_delete_message_by_flag_limit" INTEGER,
    "notification_mode" "notification_mode" NOT NULL DEFAULT 'default',
    "tags" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "metadata" JSONB,
    "message_preview_id" TEXT,
    "attached_post_id" TEXT,
    "attached_video_stream_id" TEXT,
    "attached_room_id" TEXT,
    "pinned_message_id" TEXT,
    "pinned_by" TEXT,
    "pinned_at" TIMESTAMPTZ(3),
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "last_activity" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_message_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_pkey" PRIMARY KEY ("channel_id")
);

-- CreateTable
CREATE TABLE "channel_user" (
    "channel_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "membership" "membership" NOT NULL DEFAULT 'none',
    "roles" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "sort_name" TEXT NOT NULL DEFAULT '',
    "mute_timeout" TIMESTAMPTZ(3),
    "read_to_segment" INTEGER NOT NULL DEFAULT 0,
    "last_mentioned_segment" INTEGER NOT NULL DEFAULT 0,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "last_activity" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_user_pkey" PRIMARY KEY ("channel_id","user_id")
);

-- CreateTable
CREATE TABLE "message_feed" (
    "message_feed_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "name" TEXT,
    "creator_id" TEXT,
    "last_message_id" TEXT,
    "message_preview_id" TEXT,
    "child_count" INTEGER NOT NULL DEFAULT 0,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "last_message_timestamp" TIMESTAMPTZ(3),
    "edited_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_feed_pkey" PRIMARY KEY ("message_feed_id")
);

-- CreateTable
CREATE TABLE "message" (
    "message_id" TEXT NOT NULL,
    "internal_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "channel_id" TEXT NOT NULL,
    "message_feed_id" TEXT,
    "user_id" TEXT NOT NULL,
    "parent_id" TEXT,
    "file_id" TEXT,
    "type" TEXT NOT NULL DEFAULT 'text',
    "data" JSONB,
    "channel_segment" INTEGER,
    "tags" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "metadata" JSONB,
    "flag_count" INTEGER NOT NULL DEFAULT 0,
    "hash_flag" JSONB,
    "children_number" INTEGER NOT NULL DEFAULT 0,
    "reactions" JSONB NOT NULL DEFAULT '{}',
    "reactions_count" INTEGER NOT NULL DEFAULT 0,
    "latest_reaction" JSONB,
    "mentionees" JSONB,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "edited_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "words" TEXT GENERATED ALWAYS AS (search_words(data ->> 'text')) STORED,

    CONSTRAINT "message_pkey" PRIMARY KEY ("message_id")
);

-- CreateTable
CREATE TABLE "message_numbering" (
    "channel_id" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "from_id" TEXT,
    "upto_at" TIMESTAMPTZ(3) NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_numbering_pkey" PRIMARY KEY ("channel_id")
);

-- CreateTable
CREATE TABLE "file" (
    "file_id" TEXT NOT NULL,
    "file_url" TEXT,
    "type" "file_type" NOT NULL DEFAULT 'file',
    "access_type" "file_access_type" NOT NULL DEFAULT 'public',
    "alt_text" TEXT,
    "attributes" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "file_pkey" PRIMARY KEY ("file_id")
);

-- CreateTable
CREATE TABLE "stream" (
    "stream_id" TEXT NOT NULL,
    "user_id" TEXT,
    "thumbnail_file_id" TEXT,
    "title" TEXT,
    "description" TEXT,
    "status" "stream_status" NOT NULL DEFAULT 'idle',
    "moderation_id" TEXT,
    "resolution" TEXT,
    "post_id" TEXT,
    "channel_id" TEXT,
    "parent_stream_id" TEXT,
    "child_stream_ids" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "is_live" BOOLEAN NOT NULL DEFAULT false,
    "is_parent" BOOLEAN NOT NULL DEFAULT false,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "channel_enabled" BOOLEAN NOT NULL DEFAULT false,
    "platform" JSONB,
    "streamer_url" JSONB,
    "watcher_url" JSONB,
    "recordings" JSONB,
    "metadata" JSONB,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stream_pkey" PRIMARY KEY ("stream_id")
);

-- CreateTable
CREATE TABLE "room" (
    "room_id" TEXT NOT NULL,
    "internal_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "type" TEXT,
    "target_type" TEXT,
    "target_id" TEXT,
    "reference_type" TEXT,
    "reference_id" TEXT,
    "live_channel_id" TEXT,
    "live_chat_enabled" BOOLEAN NOT NULL DEFAULT false,
    "title" TEXT,
    "description" TEXT,
    "thumbnail_file_id" TEXT,
    "status" "room_status" NOT NULL DEFAULT 'idle',
    "live_playback_url" TEXT,
    "live_thumbnail_url" TEXT,
    "parent_room_id" TEXT,
    "child_room_ids" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "created_by" TEXT,
    "deleted_by" TEXT,
    "participants" JSONB,
    "recorded_playback_infos" JSONB,
    "duration_seconds" INTEGER,
    "moderation" JSONB,
    "metadata" JSONB,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "live_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "recorded_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "room_pkey" PRIMARY KEY ("room_id")
);

-- CreateTable
CREATE TABLE "network_settings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "is_whitelist_enabled" BOOLEAN NOT NULL DEFAULT false,
    "is_report_enabled" BOOLEAN NOT NULL DEFAULT false,
    "is_allow_edit_comment_when_reviewing_enabled" BOOLEAN NOT NULL DEFAULT true,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT,

    CONSTRAINT "network_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "list_rule" (
    "rule_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "list" "list_kind" NOT NULL,
    "category" "list_category" NOT NULL DEFAULT 'content',
    "pattern" TEXT NOT NULL,
    "matcher" TEXT NOT NULL,
    "is_match_exact_word" BOOLEAN NOT NULL DEFAULT false,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "list_rule_pkey" PRIMARY KEY ("rule_id")
);

-- CreateTable
CREATE TABLE "access_token" (
    "token_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "digest" BYTEA NOT NULL,
    "kind" "token_kind" NOT NULL,
    "user_id" TEXT,
    "role_id" TEXT,
    "created_by" TEXT,
    "key_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "access_token_pkey" PRIMARY KEY ("token_id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "key_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "digest" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "allows" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "auth_token" (
    "digest" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "auth_token_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "staff_account" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "network_user_id" TEXT NOT NULL,
    "is_disabled" BOOLEAN NOT NULL DEFAULT false,
    "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_session" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "staff_account_id" TEXT NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "last_seen_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_login" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "staff_account_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_login_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_second_factor" (
    "id" TEXT NOT NULL,
    "staff_account_id" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "last_used_step" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_second_factor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_passkey" (
    "id" TEXT NOT NULL,
    "name" TEXT,
    "public_key" TEXT NOT NULL,
    "staff_account_id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "device_type" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "transports" TEXT,
    "aaguid" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_link" (
    "digest" BYTEA NOT NULL,
    "staff_account_id" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_link_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "setup_link" (
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setup_link_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "sign_in_tries" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "sign_in_tries_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "credential" TEXT NOT NULL,
    "key_digest" BYTEA NOT NULL,
    "request_digest" BYTEA NOT NULL,
    "status" SMALLINT NOT NULL,
    "answer" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("credential","key_digest")
);

-- CreateTable
CREATE TABLE "decision" (
    "decision_id" BIGSERIAL NOT NULL,
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "community_id" TEXT,
    "author_id" TEXT NOT NULL,
    "outcome" "decision_outcome" NOT NULL,
    "reason" TEXT,
    "reason_id" TEXT,
    "text_digest" BYTEA,
    "client_key" TEXT,
    "bulk_id" TEXT,
    "is_reversal" BOOLEAN NOT NULL DEFAULT false,
    "decided_by" TEXT,
    "decided_by_name" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,
    "source" "source" NOT NULL,
    "version" INTEGER NOT NULL,
    "held_at" TIMESTAMPTZ(3),
    "event_id" BIGINT NOT NULL,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "decision_pkey" PRIMARY KEY ("decision_id")
);

-- CreateTable
CREATE TABLE "service_target" (
    "community_id" TEXT NOT NULL,
    "within_minutes" INTEGER NOT NULL,
    "share_percent" INTEGER NOT NULL,
    "updated_by" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_target_pkey" PRIMARY KEY ("community_id")
);

-- CreateTable
CREATE TABLE "rejection_reason" (
    "reason_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "position" INTEGER NOT NULL,
    "label" TEXT NOT NULL,
    "text_to_author" TEXT,
    "is_archived" BOOLEAN NOT NULL DEFAULT false,
    "updated_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rejection_reason_pkey" PRIMARY KEY ("reason_id")
);

-- CreateTable
CREATE TABLE "escalation" (
    "escalation_id" BIGSERIAL NOT NULL,
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "community_id" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "escalated_by" TEXT NOT NULL,
    "escalated_by_name" TEXT NOT NULL,
    "handed_to" TEXT,
    "escalated_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "closed_by" TEXT,

    CONSTRAINT "escalation_pkey" PRIMARY KEY ("escalation_id")
);

-- CreateTable
CREATE TABLE "report" (
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "community_id" TEXT,
    "channel_id" TEXT,
    "author_id" TEXT NOT NULL,
    "flag_count" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "first_flagged_at" TIMESTAMPTZ(3) NOT NULL,
    "last_flagged_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "hash_flag" JSONB,

    CONSTRAINT "report_pkey" PRIMARY KEY ("subject_type","subject_id")
);

-- CreateTable
CREATE TABLE "bulk" (
    "bulk_id" TEXT NOT NULL,
    "made_by" TEXT NOT NULL,
    "made_by_name" TEXT NOT NULL,
    "outcome" "decision_outcome" NOT NULL,
    "reason" TEXT,
    "reason_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "worked_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_pkey" PRIMARY KEY ("bulk_id")
);

-- CreateTable
CREATE TABLE "bulk_item" (
    "bulk_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "state" "bulk_item_state" NOT NULL DEFAULT 'waiting',
    "failure" TEXT,
    "decision_id" BIGINT,

    CONSTRAINT "bulk_item_pkey" PRIMARY KEY ("bulk_id","position")
);

-- CreateTable
CREATE TABLE "staff_preference" (
    "user_id" TEXT NOT NULL,
    "preferences" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staff_preference_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "lease" (
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "holder_id" TEXT NOT NULL,
    "token" TEXT NOT NULL DEFAULT new_internal_id(),
    "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("subject_type","subject_id")
);

-- CreateTable
CREATE TABLE "note" (
    "note_id" BIGSERIAL NOT NULL,
    "about_user_id" TEXT NOT NULL,
    "community_id" TEXT,
    "written_by" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "note_pkey" PRIMARY KEY ("note_id")
);

-- CreateTable
CREATE TABLE "saved_view" (
    "view_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "owner_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "filters" JSONB NOT NULL,
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("view_id")
);

-- CreateTable
CREATE TABLE "audit" (
    "audit_id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "source" "source" NOT NULL,
    "action" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "community_id" TEXT,
    "channel_id" TEXT,
    "before" JSONB,
    "after" JSONB,
    "text_digest" BYTEA,
    "request_id" TEXT NOT NULL,
    "nonce" BYTEA,
    "mac" BYTEA,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("audit_id")
);

-- CreateTable
CREATE TABLE "audit_text" (
    "audit_id" BIGINT NOT NULL,
    "salt" BYTEA,
    "text" TEXT,
    "erased_by" TEXT,

    CONSTRAINT "audit_text_pkey" PRIMARY KEY ("audit_id")
);

-- CreateTable
CREATE TABLE "audit_seal" (
    "seq" BIGINT NOT NULL,
    "audit_id" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "version" SMALLINT NOT NULL DEFAULT 1,

    CONSTRAINT "audit_seal_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "audit_head" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "generation" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "count" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "unsigned_until" TIMESTAMPTZ(3),
    "mac" BYTEA NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_rejected" (
    "audit_id" BIGINT NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "problem" TEXT NOT NULL,

    CONSTRAINT "audit_rejected_pkey" PRIMARY KEY ("audit_id")
);

-- CreateTable
CREATE TABLE "audit_check" (
    "walk" "audit_walk" NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "audit_check_pkey" PRIMARY KEY ("walk")
);

-- CreateTable
CREATE TABLE "reported_act" (
    "audit_id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "event" TEXT NOT NULL,
    "line_bytes" INTEGER NOT NULL,

    CONSTRAINT "reported_act_pkey" PRIMARY KEY ("audit_id")
);

-- CreateTable
CREATE TABLE "event" (
    "event_id" BIGSERIAL NOT NULL,
    "seq" BIGINT,
    "name" TEXT NOT NULL,
    "is_desk_only" BOOLEAN NOT NULL DEFAULT false,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "community_id" TEXT,
    "payload" JSONB NOT NULL,
    "state" "event_state" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "releases_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "endpoint_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "url" TEXT NOT NULL,
    "description" TEXT,
    "events" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_until" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "removed_at" TIMESTAMPTZ(3),
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("endpoint_id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "delivery_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_seq" BIGINT NOT NULL,
    "event_name" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "state" "delivery_state" NOT NULL DEFAULT 'waiting',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "queued_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_try_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateTable
CREATE TABLE "delivery_try" (
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "is_last" BOOLEAN NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER,
    "status" INTEGER,
    "problem" "try_problem",
    "answer" TEXT,

    CONSTRAINT "delivery_try_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateTable
CREATE TABLE "tally" (
    "kind" "tally_kind" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "tally_pkey" PRIMARY KEY ("kind","subject_id")
);

-- CreateTable
CREATE TABLE "tally_delta" (
    "delta_id" BIGSERIAL NOT NULL,
    "kind" "tally_kind" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "tally_delta_pkey" PRIMARY KEY ("delta_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "network_user_internal_id_key" ON "network_user"("internal_id");

-- CreateIndex
CREATE UNIQUE INDEX "network_user_profile_handle_key" ON "network_user"("profile_handle");

-- CreateIndex
CREATE INDEX "ban_user_id_created_at_idx" ON "ban"("user_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "mute_user_id_created_at_idx" ON "mute"("user_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "community_internal_id_key" ON "community"("internal_id");

-- CreateIndex
CREATE INDEX "community_user_user_id_idx" ON "community_user"("user_id");

-- CreateIndex
CREATE INDEX "join_request_user_id_community_id_created_at_idx" ON "join_request"("user_id", "community_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "feed_target_id_idx" ON "feed"("target_id");

-- CreateIndex
CREATE INDEX "post_parent_post_id_idx" ON "post"("parent_post_id");

-- CreateIndex
CREATE UNIQUE INDEX "reaction_reaction_id_key" ON "reaction"("reaction_id");

-- CreateIndex
CREATE UNIQUE INDEX "channel_internal_id_key" ON "channel"("internal_id");

-- CreateIndex
CREATE INDEX "channel_user_user_id_idx" ON "channel_user"("user_id");

-- CreateIndex
CREATE INDEX "message_feed_channel_id_idx" ON "message_feed"("channel_id");

-- CreateIndex
CREATE INDEX "stream_post_id_idx" ON "stream"("post_id");

-- CreateIndex
CREATE INDEX "room_reference_id_idx" ON "room"("reference_id");

-- CreateIndex
CREATE UNIQUE INDEX "list_rule_list_category_pattern_key" ON "list_rule"("list", "category", "pattern");

-- CreateIndex
CREATE UNIQUE INDEX "access_token_digest_key" ON "access_token"("digest");

-- CreateIndex
CREATE INDEX "access_token_user_id_idx" ON "access_token"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_digest_key" ON "api_key"("digest");

-- CreateIndex
CREATE INDEX "auth_token_expires_at_idx" ON "auth_token"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "staff_account_email_key" ON "staff_account"("email");

-- CreateIndex
CREATE UNIQUE INDEX "staff_account_network_user_id_key" ON "staff_account"("network_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "staff_session_token_key" ON "staff_session"("token");

-- CreateIndex
CREATE INDEX "staff_session_staff_account_id_idx" ON "staff_session"("staff_account_id");

-- CreateIndex
CREATE INDEX "staff_login_staff_account_id_idx" ON "staff_login"("staff_account_id");

-- CreateIndex
CREATE INDEX "staff_verification_identifier_idx" ON "staff_verification"("identifier");

-- CreateIndex
CREATE UNIQUE INDEX "staff_second_factor_staff_account_id_key" ON "staff_second_factor"("staff_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "staff_passkey_credential_id_key" ON "staff_passkey"("credential_id");

-- CreateIndex
CREATE INDEX "staff_passkey_staff_account_id_idx" ON "staff_passkey"("staff_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "staff_link_staff_account_id_key" ON "staff_link"("staff_account_id");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "decision_subject_type_subject_id_decided_at_idx" ON "decision"("subject_type", "subject_id", "decided_at" DESC);

-- CreateIndex
CREATE INDEX "decision_author_id_decided_at_idx" ON "decision"("author_id", "decided_at" DESC);

-- CreateIndex
CREATE INDEX "decision_decided_by_decided_at_idx" ON "decision"("decided_by", "decided_at" DESC);

-- CreateIndex
CREATE INDEX "escalation_subject_type_subject_id_escalation_id_idx" ON "escalation"("subject_type", "subject_id", "escalation_id");

-- CreateIndex
CREATE INDEX "bulk_made_by_created_at_idx" ON "bulk"("made_by", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "bulk_item_bulk_id_subject_type_subject_id_key" ON "bulk_item"("bulk_id", "subject_type", "subject_id");

-- CreateIndex
CREATE INDEX "lease_expires_at_idx" ON "lease"("expires_at");

-- CreateIndex
CREATE INDEX "note_about_user_id_created_at_idx" ON "note"("about_user_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "saved_view_owner_id_idx" ON "saved_view"("owner_id");

-- CreateIndex
CREATE INDEX "audit_subject_type_subject_id_audit_id_idx" ON "audit"("subject_type", "subject_id", "audit_id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_seal_audit_id_key" ON "audit_seal"("audit_id");

-- CreateIndex
CREATE INDEX "reported_act_at_audit_id_line_bytes_idx" ON "reported_act"("at", "audit_id", "line_bytes");

-- CreateIndex
CREATE UNIQUE INDEX "event_seq_key" ON "event"("seq");

-- CreateIndex
CREATE INDEX "delivery_queued_at_event_seq_idx" ON "delivery"("queued_at", "event_seq");

-- CreateIndex
CREATE INDEX "delivery_created_at_delivery_id_idx" ON "delivery"("created_at" DESC, "delivery_id" DESC);

-- CreateIndex
CREATE INDEX "delivery_endpoint_id_created_at_delivery_id_idx" ON "delivery"("endpoint_id", "created_at" DESC, "delivery_id" DESC);

-- CreateIndex
CREATE INDEX "delivery_state_created_at_delivery_id_idx" ON "delivery"("state", "created_at" DESC, "delivery_id" DESC);

-- CreateIndex
CREATE INDEX "delivery_event_name_created_at_delivery_id_idx" ON "delivery"("event_name", "created_at" DESC, "delivery_id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "delivery_event_seq_endpoint_id_key" ON "delivery"("event_seq", "endpoint_id");

-- AddForeignKey
ALTER TABLE "erasure" ADD CONSTRAINT "erasure_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "community_user" ADD CONSTRAINT "community_user_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "community_user" ADD CONSTRAINT "community_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "join_request" ADD CONSTRAINT "join_request_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "join_request" ADD CONSTRAINT "join_request_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "post" ADD CONSTRAINT "post_posted_user_id_fkey" FOREIGN KEY ("posted_user_id") REFERENCES "network_user"("user_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "comment" ADD CONSTRAINT "comment_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "comment" ADD CONSTRAINT "comment_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "channel_user" ADD CONSTRAINT "channel_user_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("channel_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "channel_user" ADD CONSTRAINT "channel_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message_feed" ADD CONSTRAINT "message_feed_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("channel_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("channel_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message_numbering" ADD CONSTRAINT "message_numbering_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("channel_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "auth_token" ADD CONSTRAINT "auth_token_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_key"("key_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_account" ADD CONSTRAINT "staff_account_network_user_id_fkey" FOREIGN KEY ("network_user_id") REFERENCES "network_user"("user_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_login" ADD CONSTRAINT "staff_login_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_second_factor" ADD CONSTRAINT "staff_second_factor_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_passkey" ADD CONSTRAINT "staff_passkey_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_link" ADD CONSTRAINT "staff_link_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "service_target" ADD CONSTRAINT "service_target_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "bulk_item" ADD CONSTRAINT "bulk_item_bulk_id_fkey" FOREIGN KEY ("bulk_id") REFERENCES "bulk"("bulk_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint"("endpoint_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "delivery_try" ADD CONSTRAINT "delivery_try_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("delivery_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Audit rows that have no seal yet. A trigger fills it, so that no writer can forget it.
create table audit_unsealed (audit_id bigint primary key);

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
alter table webhook_endpoint
  add constraint webhook_endpoint_reason check (disabled_reason in ('person', 'failing'));
alter table network_settings
  add constraint network_settings_one_row check (id = 1);
alter table audit_head
  add constraint audit_head_alone check (id = 1);

-- ── The review queue ────────────────────────────────────────────────────────────────────────────────────────────────
-- Partial indexes over held items; each serves newest first and oldest first.

-- community_id = $1 order by queued_at desc, comment_id. created_at is included for ranges that skip many rows.
create index comment_held on comment (community_id, queued_at desc, comment_id) include (created_at)
  where approval_status = 'pending' and not is_deleted;
-- community_id = $1 and created_at between $2 and $3 order by queued_at: pages are grouped by created_at and know their latest and
-- earliest queued_at, so a best-first search finds the next row of any range.
create index comment_held_by_written on comment using gist (community_id, created_at, queued_at)
  where approval_status = 'pending' and not is_deleted;
-- The same two for the comments of one post.
create index comment_held_on_post on comment (reference_id, queued_at desc, comment_id) include (created_at)
  where approval_status = 'pending' and not is_deleted and reference_type = 'post';
create index comment_held_on_post_by_written on comment using gist (reference_id, created_at, queued_at)
  where approval_status = 'pending' and not is_deleted and reference_type = 'post';
-- Held comments by author, text, media and flags.
create index comment_held_of_author on comment (user_id, queued_at desc, comment_id)
  where approval_status = 'pending' and not is_deleted;
create index comment_held_text on comment using gin ((data ->> 'text') gin_trgm_ops) where approval_status = 'pending' and not is_deleted;
create index comment_held_media on comment (community_id, queued_at desc, comment_id)
  where approval_status = 'pending' and not is_deleted and data_types && array['image', 'video'];
create index comment_held_flagged on comment (community_id, queued_at desc, comment_id)
  where approval_status = 'pending' and not is_deleted and flag_count > 0;
-- How common each word is: if many comments match, the queue is read in its order; if few do, through comment_held_text.
create statistics comment_words on (data ->> 'text') from comment;

-- Held posts, without their attached posts.
create index post_held on post (community_id, queued_at desc, post_id)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null;
create index post_held_everywhere on post (queued_at desc, post_id) where feed_type = 'reviewing';
create index post_held_flagged on post (community_id, queued_at desc, post_id)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null and flag_count > 0;
-- Held images and videos, each by the post it is attached to or is.
create index post_held_media on post (community_id, (coalesce(parent_post_id, post_id)))
  where feed_type = 'reviewing' and not is_deleted and data_type in ('image', 'video');
-- Title and text of a post as one text, for the text filter.
create function post_words(data jsonb) returns text language sql immutable parallel safe
  return coalesce(data ->> 'title', '') || E'\n' || coalesce(data ->> 'text', '');
create index post_held_text on post using gin (post_words(data) gin_trgm_ops)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null;
create statistics post_words on (post_words(data)) from post;

-- Everything that was held in some communities during a time, whatever was decided, for insights.
create index comment_queued on comment (community_id, queued_at) where queued_at is not null;
create index post_queued on post (community_id, queued_at) where queued_at is not null and parent_post_id is null;

-- ── Decisions, bulk actions, escalations, reports, views ────────────────────────────────────────────────────────────

-- A digest of a comment's, post's or message's text without case, punctuation, width and spaces, to recognise the same text.
create function text_digest(data jsonb) returns bytea language sql immutable parallel safe as $$
  select case when words = '' then null else decode(md5(words), 'hex') end
  from (select regexp_replace(lower(normalize(coalesce(data ->> 'text', ''), NFKC)), '[^[:alnum:]]+', '', 'g') as words) folded
$$;
-- Decisions on the same text.
create index decision_on_text on decision (text_digest, decided_at desc) where text_digest is not null and undone_at is null;
-- The decision that was already made with this client key.
create unique index decision_client_key on decision (decided_by, client_key) where client_key is not null;
create index decision_of_bulk on decision (bulk_id) where bulk_id is not null;
-- What was decided in some communities during a time, how, by whom and how soon, from the index alone.
create index decision_on_held on decision (community_id, decided_at) include (held_at, outcome, subject_type, decided_by)
  where held_at is not null and undone_at is null;

create index bulk_item_waiting on bulk_item (bulk_id, position) where state = 'waiting';
create index bulk_unfinished on bulk (worked_at) where finished_at is null;

-- One open escalation an item; those assigned to one person, and those of one community, newest first.
create unique index escalation_open on escalation (subject_type, subject_id) where closed_at is null;
create index escalation_open_for on escalation (handed_to, escalated_at desc, escalation_id) where closed_at is null;
create index escalation_open_in on escalation (community_id, escalated_at desc, escalation_id) where closed_at is null;

-- Open reports of one community or channel, and of the network, latest first.
create index report_in_community on report (community_id, last_flagged_at desc, subject_type, subject_id)
  where closed_at is null and community_id is not null;
create index report_in_channel on report (channel_id, last_flagged_at desc, subject_type, subject_id)
  where closed_at is null and channel_id is not null;
create index report_latest on report (last_flagged_at desc, subject_type, subject_id) where closed_at is null;

-- Views of a page that everyone sees. At most one default a page for each person, and one for everyone.
create index saved_view_shared on saved_view (page) where is_shared;
create unique index saved_view_default on saved_view (owner_id, page) where is_default and not is_shared;
create unique index saved_view_shared_default on saved_view (page) where is_default and is_shared;

-- ── Comments, posts, flags, reactions ───────────────────────────────────────────────────────────────────────────────

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
-- building the automaton of a pattern can take long.
create function is_sound_matcher(matcher text) returns boolean language plpgsql volatile as $$
declare
  started timestamptz := clock_timestamp();
begin
  perform repeat('some words ', 2000) ~* matcher;
  return clock_timestamp() - started < interval '100 milliseconds';
exception when invalid_regular_expression then
  return false;
end $$;

-- ── Users, communities, sanctions ───────────────────────────────────────────────────────────────────────────────────

-- Lists of users by time and by name; by any part of a name, handle or id; by role; flagged ones.
create index network_user_newest on network_user (created_at desc, user_id);
create index network_user_by_name on network_user (lower(coalesce(display_name, user_id)), user_id);
create index network_user_name on network_user using gin (display_name gin_trgm_ops);
create index network_user_handle on network_user using gin (profile_handle gin_trgm_ops);
create index network_user_id on network_user using gin (user_id gin_trgm_ops);
create index network_user_roles on network_user using gin (roles);
create index network_user_flagged on network_user (created_at desc, user_id) where flag_count > 0;

-- Lists of communities. Their own ids may be too long for an index beside a name: the internal id breaks ties.
create index community_newest on community (created_at desc, internal_id);
create index community_by_name on community (lower(left(coalesce(display_name, community_id), 80)), internal_id);
create index community_named on community using gin (display_name gin_trgm_ops);
create index community_user_newest on community_user (community_id, created_at desc, user_id);
create index community_user_roles on community_user using gin (community_id, roles);

-- At most one pending request a person and community. The requests of a community in one state, newest first.
create unique index join_request_pending on join_request (community_id, user_id) where status = 'pending';
create index join_request_newest on join_request (community_id, status, created_at desc, join_request_id);

-- One ban in force a person and space; bans that have an end, in the order they end.
create unique index ban_in_force on ban (user_id, scope, coalesce(community_id, channel_id, '')) where lifted_at is null;
create index ban_ends on ban (ends_at) where lifted_at is null and ends_at is not null;
-- The record of the mute in force; an imported mute has none.
create unique index mute_in_force on mute (channel_id, user_id) where lifted_at is null;

-- Unfinished erasures, the one that has been waiting longest first.
create index erasure_unfinished on erasure (worked_at) where finished_at is null;

-- ── Channels and their members ──────────────────────────────────────────────────────────────────────────────────────

-- Lists of channels, in each order. Ids may be too long for an index: the internal id breaks ties.
create index channel_by_activity on channel (last_activity desc, internal_id);
create index channel_newest on channel (created_at desc, internal_id);
create index channel_by_name on channel (lower(left(coalesce(display_name, channel_id), 80)), internal_id);
create index channel_name_part on channel using gin (lower(display_name) gin_trgm_ops);

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
  new.sort_name := coalesce((select lower(left(coalesce(u.display_name, u.user_id), 80)) from network_user u where u.user_id = new.user_id), '');
  return new;
end $$;
create trigger channel_user_sort_name before insert on channel_user for each row execute function set_sort_name();
create function follow_display_name() returns trigger language plpgsql as $$
begin
  update channel_user set sort_name = lower(left(coalesce(new.display_name, new.user_id), 80)) where user_id = new.user_id;
  return null;
end $$;
create trigger network_user_sort_name after update of display_name on network_user
  for each row when (old.display_name is distinct from new.display_name) execute function follow_display_name();

-- ── Messages and their search ───────────────────────────────────────────────────────────────────────────────────────

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
    timestamptz_hash_extended(date_bin('10 minutes', created_at, timestamptz '2000-01-01T00:00:00Z'), 0) & 1048575,
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
  from regexp_split_to_table(search_text(query), '\s+') as term
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
  from (select regexp_replace(search_text(query), '^\s+|\s+$', '', 'g')) as trimmed(phrase)
  cross join lateral unnest(case when is_exact then array[phrase] else regexp_split_to_array(phrase, '\s+') end) as wording
  where wording <> '';
end;

-- Without a pending list, which every level of every search would scan.
create index message_text on message using gin (
  message_tokens(created_at, channel_id, message_feed_id, user_id, type, tags, words)) with (fastupdate = off)
  where not is_deleted;
-- A channel's row is written with each of its messages: changes go to a pending list, which is kept short.
create index channel_name on channel using gin (channel_tokens(display_name)) with (gin_pending_list_limit = 64) where not is_deleted;

-- ── Roles ───────────────────────────────────────────────────────────────────────────────────────────────────────────

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

-- ── Credentials ─────────────────────────────────────────────────────────────────────────────────────────────────────

-- When tokens expired or were revoked: those that ended long ago are removed.
create index access_token_ended on access_token (least(revoked_at, expires_at));
-- Open sessions by the API key that opened them: they end with it.
create index access_token_key_id on access_token (key_id) where key_id is not null and revoked_at is null;
-- Admin tokens in use, by issuer: they end when their issuer may no longer issue them.
create index access_token_created_by on access_token (created_by) where kind = 'admin' and revoked_at is null;

-- ── The audit log ───────────────────────────────────────────────────────────────────────────────────────────────────

-- The log, latest first: all of it, by actor, by action and by community. Rows are inserted in order of time, so each of these trees
-- grows in few places. The rows of one subject are found by audit_subject_type_subject_id_audit_id_idx.
create index audit_at on audit (at, audit_id);
create index audit_by_actor on audit (actor_id, at, audit_id);
create index audit_of_action on audit (action, at, audit_id);
create index audit_in_community on audit (community_id, at, audit_id) where community_id is not null;
create unique index audit_nonce on audit (nonce) where nonce is not null;

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

-- The content that seals of version 1 cover, in a form that does not depend on the session.
create function audit_content(a audit) returns text language sql immutable as $$
  select jsonb_build_array(
    a.audit_id, (extract(epoch from a.at) * 1000)::bigint, a.actor_kind, a.actor_id, a.source, a.action, a.subject_type, a.subject_id,
    a.community_id, a.channel_id, a.before, a.after, encode(a.text_digest, 'hex'), a.request_id)::text
$$;

-- One cell of RFC 4180, always quoted unless it is empty. A value that a spreadsheet would take for a formula, or that begins with an
-- apostrophe, gets an apostrophe before it: removing one leading apostrophe gives the value back. This and the next one are PL/pgSQL:
-- an SQL function that isn't inlined would be planned again for every cell.
create function csv_cell(value text) returns text language plpgsql immutable parallel safe as $$
begin
  return case when coalesce(value, '') = '' then '' else
    '"' || case when left(value, 1) in ('=', '+', '-', '@', E'\t', E'\r', E'\n', '＝', '＋', '－', '＠', '''') then '''' else '' end
      || replace(value, '"', '""') || '"'
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

-- ── Events, deliveries, counts ──────────────────────────────────────────────────────────────────────────────────────

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

-- ── Rows ────────────────────────────────────────────────────────────────────────────────────────────────────────────

insert into network_settings (id) values (1);

insert into role (role_id, display_name, rank, scope, permissions) values
  ('channel-moderator', 'Channel moderator', 100, 'channel', array[
    'MUTE_CHANNEL', 'CLOSE_CHANNEL', 'EDIT_CHANNEL', 'EDIT_CHANNEL_RATELIMIT', 'EDIT_MESSAGE', 'DELETE_MESSAGE', 'BAN_USER_FROM_CHANNEL',
    'MUTE_USER_INSIDE_CHANNEL', 'ADD_CHANNEL_USER', 'REMOVE_CHANNEL_USER', 'EDIT_CHANNEL_USER', 'ASSIGN_CHANNEL_USER_ROLE']),
  ('community-moderator', 'Community moderator', 200, 'community', array[
    'ADD_COMMUNITY_USER', 'REMOVE_COMMUNITY_USER', 'EDIT_COMMUNITY_USER', 'BAN_COMMUNITY_USER', 'MUTE_COMMUNITY_USER', 'EDIT_COMMUNITY',
    'DELETE_COMMUNITY', 'EDIT_COMMUNITY_POST', 'DELETE_COMMUNITY_POST', 'PIN_COMMUNITY_POST', 'EDIT_COMMUNITY_COMMENT',
    'DELETE_COMMUNITY_COMMENT', 'ASSIGN_COMMUNITY_USER_ROLE', 'MANAGE_COMMUNITY_STORY', 'REVIEW_COMMUNITY_COMMENT', 'REVIEW_COMMUNITY_POST']),
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

-- The interface's flag reasons (docs/interface/reports-and-flags.md), until a network writes its own rejection reasons.
insert into rejection_reason (reason_id, position, label) values
  ('guidelines', 1, 'Against community guidelines'),
  ('harassment', 2, 'Harassment or bullying'),
  ('self-harm', 3, 'Self-harm or suicide'),
  ('violence', 4, 'Violence or threatening content'),
  ('restricted', 5, 'Selling and promoting restricted items'),
  ('sexual', 6, 'Sexual content or nudity'),
  ('spam', 7, 'Spam or scams'),
  ('false', 8, 'False information or misinformation'),
  ('others', 9, 'Others');
