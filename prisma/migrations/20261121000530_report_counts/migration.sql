-- AlterEnum
-- Used from the next migration on: PostgreSQL wants new values committed first.
ALTER TYPE "tally_kind" ADD VALUE 'reported_comments';
ALTER TYPE "tally_kind" ADD VALUE 'reported_posts';
ALTER TYPE "tally_kind" ADD VALUE 'reported_messages';
ALTER TYPE "tally_kind" ADD VALUE 'reported_people';

-- AlterTable
ALTER TABLE "report" ADD COLUMN     "hash_flag" JSONB,
ADD COLUMN     "settled_at" TIMESTAMPTZ(3);
