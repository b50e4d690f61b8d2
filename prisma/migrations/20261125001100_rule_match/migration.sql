-- CreateTable
CREATE TABLE "rule_match" (
    "match_id" BIGSERIAL NOT NULL,
    "rule_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "is_live" BOOLEAN NOT NULL,
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "found" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rule_match_pkey" PRIMARY KEY ("match_id")
);

-- CreateIndex
CREATE INDEX "rule_match_rule_id_version_is_live_idx" ON "rule_match"("rule_id", "version", "is_live");

-- CreateIndex
CREATE UNIQUE INDEX "rule_match_subject_type_subject_id_rule_id_key" ON "rule_match"("subject_type", "subject_id", "rule_id");

-- AddForeignKey
ALTER TABLE "rule_match" ADD CONSTRAINT "rule_match_rule_id_version_fkey" FOREIGN KEY ("rule_id", "version") REFERENCES "rule_version"("rule_id", "version") ON DELETE CASCADE ON UPDATE NO ACTION;
