-- AlterTable
ALTER TABLE "bulk" ADD COLUMN     "ban_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "ban_reason" TEXT,
ADD COLUMN     "ban_scope" "ban_scope";

-- CreateTable
CREATE TABLE "bulk_ban" (
    "bulk_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "space_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "state" "bulk_item_state" NOT NULL DEFAULT 'waiting',
    "failure" TEXT,
    "ban_id" BIGINT,

    CONSTRAINT "bulk_ban_pkey" PRIMARY KEY ("bulk_id","position")
);

-- CreateIndex
CREATE UNIQUE INDEX "bulk_ban_bulk_id_space_id_user_id_key" ON "bulk_ban"("bulk_id", "space_id", "user_id");

-- CreateIndex
CREATE INDEX "bulk_ban_user_id_idx" ON "bulk_ban"("user_id");

-- AddForeignKey
ALTER TABLE "bulk_ban" ADD CONSTRAINT "bulk_ban_bulk_id_fkey" FOREIGN KEY ("bulk_id") REFERENCES "bulk"("bulk_id") ON DELETE CASCADE ON UPDATE NO ACTION;
