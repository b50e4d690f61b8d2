-- CreateTable
CREATE TABLE "service_target" (
    "community_id" TEXT NOT NULL,
    "within_minutes" INTEGER NOT NULL,
    "share_percent" INTEGER NOT NULL,
    "updated_by" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_target_pkey" PRIMARY KEY ("community_id")
);

-- AddForeignKey
ALTER TABLE "service_target" ADD CONSTRAINT "service_target_community_id_fkey" FOREIGN KEY ("community_id") REFERENCES "community"("community_id") ON DELETE CASCADE ON UPDATE NO ACTION;
