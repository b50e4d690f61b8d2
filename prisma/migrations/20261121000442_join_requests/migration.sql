-- Requests to be let into a community that approves its members.

-- CreateEnum
CREATE TYPE "join_request_status" AS ENUM ('pending', 'approved', 'rejected', 'cancelled');

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

-- CreateIndex
CREATE INDEX "join_request_user_id_community_id_created_at_idx" ON "join_request"("user_id", "community_id", "created_at" DESC);

-- AddForeignKey
ALTER TABLE "join_request" ADD CONSTRAINT "join_request_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "join_request" ADD CONSTRAINT "join_request_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "network_user"("user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Nobody waits twice; how many wait.
create unique index join_request_pending on join_request (community_id, user_id) where status = 'pending';
-- The requests of a community in one state, newest first.
create index join_request_newest on join_request (community_id, status, created_at desc, join_request_id);
