-- Internal ids (`_id`): 24 hexadecimal digits, random.
create function new_internal_id() returns text language sql volatile as
  $$ select left(replace(gen_random_uuid()::text, '-', ''), 24) $$;

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
CREATE TYPE "token_kind" AS ENUM ('user', 'admin');

-- CreateEnum
CREATE TYPE "subject_type" AS ENUM ('comment', 'post', 'message', 'user');

-- CreateEnum
CREATE TYPE "decision_outcome" AS ENUM ('approved', 'rejected');

-- CreateEnum
CREATE TYPE "door" AS ENUM ('desk', 'rest', 'cli');

-- CreateEnum
CREATE TYPE "event_state" AS ENUM ('held', 'released', 'cancelled');

-- CreateEnum
CREATE TYPE "tally_kind" AS ENUM ('held_comments', 'community_members', 'community_moderators', 'community_posts', 'channel_members', 'channel_messages', 'feed_posts');

-- CreateTable
CREATE TABLE "role" (
    "role_id" TEXT NOT NULL,
    "display_name" TEXT,
    "rank" INTEGER NOT NULL DEFAULT 0,
    "scope" "role_scope" NOT NULL,
    "permissions" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
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
    "comments_count" INTEGER NOT NULL DEFAULT 0,
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
    "children_number" INTEGER NOT NULL DEFAULT 0,
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

    CONSTRAINT "message_pkey" PRIMARY KEY ("message_id")
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
CREATE TABLE "access_token" (
    "token_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "digest" BYTEA NOT NULL,
    "kind" "token_kind" NOT NULL,
    "user_id" TEXT,
    "role_id" TEXT,
    "created_by" TEXT,
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
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("key_id")
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
CREATE TABLE "decision" (
    "decision_id" BIGSERIAL NOT NULL,
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "community_id" TEXT,
    "author_id" TEXT NOT NULL,
    "outcome" "decision_outcome" NOT NULL,
    "reason" TEXT,
    "decided_by" TEXT,
    "decided_by_name" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,
    "door" "door" NOT NULL,
    "version" INTEGER NOT NULL,
    "event_id" BIGINT NOT NULL,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "decision_pkey" PRIMARY KEY ("decision_id")
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
    "door" "door" NOT NULL,
    "action" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "community_id" TEXT,
    "channel_id" TEXT,
    "before" JSONB,
    "after" JSONB,
    "text_digest" BYTEA,
    "request_id" TEXT NOT NULL,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("audit_id")
);

-- CreateTable
CREATE TABLE "audit_text" (
    "audit_id" BIGINT NOT NULL,
    "salt" BYTEA NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "audit_text_pkey" PRIMARY KEY ("audit_id")
);

-- CreateTable
CREATE TABLE "audit_seal" (
    "seq" BIGINT NOT NULL,
    "audit_id" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_seal_pkey" PRIMARY KEY ("seq")
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
    "events" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_until" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
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
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),
    "attempts" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("delivery_id")
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
CREATE UNIQUE INDEX "community_internal_id_key" ON "community"("internal_id");

-- CreateIndex
CREATE INDEX "community_user_user_id_idx" ON "community_user"("user_id");

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
CREATE UNIQUE INDEX "access_token_digest_key" ON "access_token"("digest");

-- CreateIndex
CREATE INDEX "access_token_user_id_idx" ON "access_token"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_digest_key" ON "api_key"("digest");

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
CREATE INDEX "decision_subject_type_subject_id_decided_at_idx" ON "decision"("subject_type", "subject_id", "decided_at" DESC);

-- CreateIndex
CREATE INDEX "decision_author_id_decided_at_idx" ON "decision"("author_id", "decided_at" DESC);

-- CreateIndex
CREATE INDEX "decision_decided_by_decided_at_idx" ON "decision"("decided_by", "decided_at" DESC);

-- CreateIndex
CREATE INDEX "note_about_user_id_created_at_idx" ON "note"("about_user_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "saved_view_owner_id_idx" ON "saved_view"("owner_id");

-- CreateIndex
CREATE INDEX "audit_subject_type_subject_id_audit_id_idx" ON "audit"("subject_type", "subject_id", "audit_id");

-- CreateIndex
CREATE INDEX "audit_actor_id_audit_id_idx" ON "audit"("actor_id", "audit_id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_seal_audit_id_key" ON "audit_seal"("audit_id");

-- CreateIndex
CREATE UNIQUE INDEX "event_seq_key" ON "event"("seq");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_endpoint_id_event_seq_key" ON "delivery"("endpoint_id", "event_seq");

-- AddForeignKey
ALTER TABLE "community_user" ADD CONSTRAINT "community_user_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "community_user" ADD CONSTRAINT "community_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

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
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_account" ADD CONSTRAINT "staff_account_network_user_id_fkey" FOREIGN KEY ("network_user_id") REFERENCES "network_user"("user_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_session" ADD CONSTRAINT "staff_session_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "staff_login" ADD CONSTRAINT "staff_login_staff_account_id_fkey" FOREIGN KEY ("staff_account_id") REFERENCES "staff_account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint"("endpoint_id") ON DELETE CASCADE ON UPDATE NO ACTION;

