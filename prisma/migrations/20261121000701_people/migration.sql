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

-- AddForeignKey
ALTER TABLE "erasure" ADD CONSTRAINT "erasure_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Erasures that still have something to do, the one that waits longest first.
create index erasure_unfinished on erasure (worked_at) where finished_at is null;

-- The flags somebody sent, newest first.
create index flag_of_user on flag (user_id, created_at desc);
-- The reactions somebody gave.
create index reaction_of_user on reaction (user_id);
-- What somebody wrote that is flagged.
create index comment_flagged_of_author on comment (user_id) where flag_count > 0;
create index post_flagged_of_author on post (posted_user_id) where flag_count > 0;
create index message_flagged_of_author on message (user_id) where flag_count > 0;
-- Messages that show somebody's reaction, by name.
create index message_reacted_by on message ((latest_reaction ->> 'userId')) where latest_reaction is not null;
