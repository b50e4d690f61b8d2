-- CreateEnum
CREATE TYPE "rule_state" AS ENUM ('draft', 'shadow', 'live', 'paused');

-- CreateTable
CREATE TABLE "rule" (
    "rule_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "community_id" TEXT,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "state" "rule_state" NOT NULL DEFAULT 'draft',
    "version" INTEGER NOT NULL DEFAULT 1,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "owner_id" TEXT NOT NULL,
    "is_archived" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rule_pkey" PRIMARY KEY ("rule_id")
);

-- CreateTable
CREATE TABLE "rule_version" (
    "rule_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "kinds" TEXT[],
    "condition" JSONB NOT NULL,
    "action" JSONB NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "rule_version_pkey" PRIMARY KEY ("rule_id","version")
);

-- CreateIndex
CREATE INDEX "rule_community_id_position_idx" ON "rule"("community_id", "position");

-- AddForeignKey
ALTER TABLE "rule" ADD CONSTRAINT "rule_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "rule_version" ADD CONSTRAINT "rule_version_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "rule"("rule_id") ON DELETE CASCADE ON UPDATE NO ACTION;

create function keep_used_version() returns trigger language plpgsql as $$
begin
  if old.used_at is not null then
    raise exception 'a version of a rule that was used never changes';
  end if;
  return new;
end $$;
create trigger rule_version_kept before update on rule_version for each row execute function keep_used_version();
