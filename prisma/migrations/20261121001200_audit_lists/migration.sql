-- The log as one looks through it, latest first: all of it, and by who, what and where. Rows come in order of time, so that each of
-- these trees grows at few places. What is about one thing is found by audit_subject_type_subject_id_audit_id_idx.
create index audit_at on audit (at, audit_id);
create index audit_by_actor on audit (actor_id, at, audit_id);
create index audit_of_action on audit (action, at, audit_id);
create index audit_in_community on audit (community_id, at, audit_id) where community_id is not null;

-- DropIndex: what it served is served by audit_by_actor.
DROP INDEX "audit_actor_id_audit_id_idx";

-- CreateEnum
CREATE TYPE "audit_walk" AS ENUM ('new', 'whole');

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
