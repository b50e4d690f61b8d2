-- CreateTable
CREATE TABLE "idempotency_key" (
    "credential" TEXT NOT NULL,
    "key_digest" BYTEA NOT NULL,
    "request_digest" BYTEA NOT NULL,
    "status" SMALLINT NOT NULL,
    "answer" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("credential","key_digest")
);

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");
