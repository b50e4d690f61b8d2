-- CreateTable
CREATE TABLE "named_queue" (
    "queue_id" TEXT NOT NULL DEFAULT new_internal_id(),
    "community_id" TEXT,
    "name" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "named_queue_pkey" PRIMARY KEY ("queue_id")
);

-- CreateTable
CREATE TABLE "named_queue_member" (
    "queue_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,

    CONSTRAINT "named_queue_member_pkey" PRIMARY KEY ("queue_id","user_id")
);

-- CreateIndex
CREATE INDEX "named_queue_community_id_idx" ON "named_queue"("community_id");

-- CreateIndex
CREATE INDEX "named_queue_member_user_id_idx" ON "named_queue_member"("user_id");

-- AddForeignKey
ALTER TABLE "named_queue" ADD CONSTRAINT "named_queue_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "named_queue_member" ADD CONSTRAINT "named_queue_member_queue_id_fkey" FOREIGN KEY ("queue_id") REFERENCES "named_queue"("queue_id") ON DELETE CASCADE ON UPDATE NO ACTION;
