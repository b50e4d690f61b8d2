-- CreateTable
CREATE TABLE "classifier" (
    "classifier_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret" BYTEA NOT NULL,
    "community_id" TEXT,
    "kinds" "subject_type"[],
    "deadline_ms" INTEGER NOT NULL,
    "batch_size" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "read_to" BIGINT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "opened_at" TIMESTAMPTZ(3),
    "probe_at" TIMESTAMPTZ(3),
    "probes" INTEGER NOT NULL DEFAULT 0,
    "answered" BIGINT NOT NULL DEFAULT 0,
    "failed" BIGINT NOT NULL DEFAULT 0,
    "dropped" BIGINT NOT NULL DEFAULT 0,
    "recent_ms" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "last_answered_at" TIMESTAMPTZ(3),
    "last_failed_at" TIMESTAMPTZ(3),
    "last_problem" TEXT,
    "last_status" INTEGER,
    "disabled_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "classifier_pkey" PRIMARY KEY ("classifier_id")
);

-- CreateTable
CREATE TABLE "classifier_item" (
    "classifier_id" TEXT NOT NULL,
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "event_seq" BIGINT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "classifier_item_pkey" PRIMARY KEY ("classifier_id","subject_type","subject_id")
);

-- CreateIndex
CREATE INDEX "classifier_item_classifier_id_due_at_idx" ON "classifier_item"("classifier_id", "due_at");

-- CreateIndex
CREATE INDEX "classifier_item_classifier_id_requested_at_idx" ON "classifier_item"("classifier_id", "requested_at");
