-- Comments, posts and messages written over REST: what they count for, what is flagged, and what lists keep out.

-- Used from the next migration on: PostgreSQL wants new values committed first.
alter type tally_kind add value 'comment_children';
alter type tally_kind add value 'post_comments';

-- What is still open of one subject's count, asked for with every comment and post shown.
create index tally_delta_of_subject on tally_delta (kind, subject_id);

-- CreateEnum
CREATE TYPE "list_kind" AS ENUM ('allow', 'block');

-- CreateEnum
CREATE TYPE "list_category" AS ENUM ('content', 'user');

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

-- CreateIndex
CREATE UNIQUE INDEX "list_rule_list_category_pattern_key" ON "list_rule"("list", "category", "pattern");

-- Rules of one list, newest first.
create index list_rule_newest on list_rule (list, created_at desc, rule_id);

-- What everyone sees of a post's comments and of the replies to one: however much waits there, nobody walks through it.
create index comment_public on comment (reference_id, created_at desc, comment_id)
  where approval_status is null or approval_status = 'approved';
create index comment_public_replies on comment (parent_id, created_at, comment_id)
  where parent_id is not null and not is_deleted and (approval_status is null or approval_status = 'approved');

-- Flagged comments of a post or story, newest first; whether a community or post has any.
create index comment_flagged on comment (reference_id, created_at desc, comment_id) where flag_count > 0;
create index comment_flagged_in_community on comment (community_id) where flag_count > 0;
-- Flagged posts of a community, newest first.
create index post_flagged on post (community_id, created_at desc, post_id) where flag_count > 0;
-- Declined posts of a community, newest first.
create index post_declined on post (community_id, created_at desc, post_id) where feed_type = 'declined';
-- Posts on a user or content, newest first.
create index post_on_target on post (target_id, created_at desc, post_id) where target_id is not null;
-- Flagged messages of a channel, newest first; and the number of its last message.
create index message_flagged on message (channel_id, created_at desc, message_id) where flag_count > 0;
create index message_segment on message (channel_id, channel_segment desc) where channel_segment is not null;
-- Messages of one thread, newest first.
create index message_replies on message (parent_id, created_at desc, message_id) where parent_id is not null;

-- Whether PostgreSQL can look for a pattern at all, and through the longest text in little time. Its engine is an automaton,
-- linear in the text; what is left to fear is a pattern that takes long to build.
create function is_sound_matcher(matcher text) returns boolean language plpgsql volatile as $$
declare
  started timestamptz := clock_timestamp();
begin
  perform repeat('some words ', 2000) ~* matcher;
  return clock_timestamp() - started < interval '100 milliseconds';
exception when invalid_regular_expression then
  return false;
end $$;
