-- CreateEnum
CREATE TYPE "bulk_item_state" AS ENUM ('waiting', 'done', 'refused', 'undone');

-- AlterEnum
ALTER TYPE "decision_outcome" ADD VALUE 'dismissed';
ALTER TYPE "decision_outcome" ADD VALUE 'deleted';

-- AlterEnum
ALTER TYPE "tally_kind" ADD VALUE 'held_posts';

-- AlterTable
ALTER TABLE "decision" ADD COLUMN     "bulk_id" TEXT,
ADD COLUMN     "client_key" TEXT,
ADD COLUMN     "is_reversal" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "reason_id" TEXT,
ADD COLUMN     "text_digest" BYTEA;

-- AlterTable
ALTER TABLE "flag" ADD COLUMN     "cleared_at" TIMESTAMPTZ(3);

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

-- CreateIndex
CREATE INDEX "escalation_subject_type_subject_id_escalation_id_idx" ON "escalation"("subject_type", "subject_id", "escalation_id");

-- CreateIndex
CREATE INDEX "bulk_made_by_created_at_idx" ON "bulk"("made_by", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "bulk_item_bulk_id_subject_type_subject_id_key" ON "bulk_item"("bulk_id", "subject_type", "subject_id");

-- AddForeignKey
ALTER TABLE "bulk_item" ADD CONSTRAINT "bulk_item_bulk_id_fkey" FOREIGN KEY ("bulk_id") REFERENCES "bulk"("bulk_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- ── What schema.prisma cannot say ───────────────────────────────────────────────────────────────────────────────────

-- One open escalation for each item; those handed to one person, and those of one community, newest first.
create unique index escalation_open on escalation (subject_type, subject_id) where closed_at is null;
create index escalation_open_for on escalation (handed_to, escalated_at desc, escalation_id) where closed_at is null;
create index escalation_open_in on escalation (community_id, escalated_at desc, escalation_id) where closed_at is null;

-- What is reported in one community or channel, latest first; and across the network.
create index report_in_community on report (community_id, last_flagged_at desc, subject_type, subject_id) where community_id is not null;
create index report_in_channel on report (channel_id, last_flagged_at desc, subject_type, subject_id) where channel_id is not null;
create index report_latest on report (last_flagged_at desc, subject_type, subject_id);

-- Decisions on the same words; the one that was already made under this key.
create index decision_on_text on decision (text_digest, decided_at desc) where text_digest is not null and undone_at is null;
create unique index decision_client_key on decision (decided_by, client_key) where client_key is not null;

-- What waits for whoever works on it.
create index bulk_item_waiting on bulk_item (bulk_id, position) where state = 'waiting';
create index bulk_unfinished on bulk (worked_at) where finished_at is null;

-- One default view of their own for each person and page, one shared by all.
create unique index saved_view_default on saved_view (owner_id, page) where is_default and not is_shared;
create unique index saved_view_shared_default on saved_view (page) where is_default and is_shared;

-- The queue narrowed further: by words, by what has pictures or films, by what is flagged.
create index comment_held_text on comment using gin ((data ->> 'text') gin_trgm_ops) where approval_status = 'pending' and not is_deleted;
create index comment_held_media on comment (community_id, queued_at desc, comment_id)
  where approval_status = 'pending' and not is_deleted and data_types && array['image', 'video'];
create index comment_held_flagged on comment (community_id, queued_at desc, comment_id)
  where approval_status = 'pending' and not is_deleted and flag_count > 0;

-- Posts that wait, without what is attached to them.
drop index post_held;
create index post_held on post (community_id, queued_at desc, post_id)
  where feed_type = 'reviewing' and not is_deleted and parent_post_id is null;

-- The words of a comment, post or message, so that the same ones are known again: without case, punctuation, width or spaces.
create function text_digest(data jsonb) returns bytea language sql immutable parallel safe as $$
  select case when words = '' then null else decode(md5(words), 'hex') end
  from (select regexp_replace(lower(normalize(coalesce(data ->> 'text', ''), NFKC)), '[^[:alnum:]]+', '', 'g') as words) folded
$$;

-- The reasons people report with (WIRE.md, section 5), until a network writes its own.
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

-- What one bulk decided.
create index decision_of_bulk on decision (bulk_id) where bulk_id is not null;
